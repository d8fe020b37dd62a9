/** Serves the OpenAPI document. It is made and compressed on the first request; only its bytes are kept. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { BASE_PATH } from '../addresses.ts';
import type { Page } from '../page.ts';
import type { OpenApiDocument } from './types.ts';

interface Encoded {
  etag: string;
  /** By content coding, best first. */
  bodies: ReadonlyMap<string, Buffer>;
}

/** @param make returns the document of this service */
export function documentPage(make: () => OpenApiDocument): Page {
  let encoding: Promise<Encoded> | null = null;
  return {
    method: 'GET',
    path: `${BASE_PATH}/openapi.json`,
    async handle(_context, request) {
      encoding ??= encode(JSON.stringify(make()));
      const { etag, bodies } = await encoding;
      const headers = {
        'content-type': 'application/json',
        'cache-control': 'no-cache',
        etag,
        vary: 'accept-encoding',
      };
      if (request.header('if-none-match') === etag) return { status: 304, headers };
      const accepted = request.header('accept-encoding') ?? '';
      const coding = [...bodies.keys()].find((each) => accepts(accepted, each)) ?? 'identity';
      const encoded: Record<string, string> = coding === 'identity' ? {} : { 'content-encoding': coding };
      return { status: 200, headers: { ...headers, ...encoded }, body: bodies.get(coding) ?? '' };
    },
  };
}

async function encode(text: string): Promise<Encoded> {
  const plain = Buffer.from(text);
  // The best quality takes a second; this one takes a fiftieth, for a tenth more bytes.
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } };
  const [br, gz] = await Promise.all([promisify(brotliCompress)(plain, quality), promisify(gzip)(plain, { level: 9 })]);
  const hash = createHash('sha256').update(plain).digest('base64url');
  // Weak: it identifies the document in every coding.
  const bodies = new Map([
    ['br', br],
    ['gzip', gz],
    ['identity', plain],
  ]);
  return { etag: `W/"${hash}"`, bodies };
}

/** Whether a header names a content coding, and does not exclude it by `q=0` (RFC 9110, 12.5.3). */
function accepts(header: string, coding: string): boolean {
  return header.split(',').some((each) => {
    const [name = '', weight = ''] = each.split(';').map((part) => part.trim().toLowerCase());
    return name === coding && !/^q=0(?:\.0*)?$/.test(weight);
  });
}
