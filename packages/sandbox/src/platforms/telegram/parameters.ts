/** Parses the parameters of a call from the query, a form, JSON, or a multipart body. */
import { randomUUID } from 'node:crypto';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import type { Blobs, SimulatorRequest } from '../../contract.ts';
import { parseBody } from '../../http/multipart-form.ts';
import { isObject } from '../../http/parameters.ts';
import { Refused } from '../../http/refused.ts';
import { refuse, TOO_LARGE } from './answers.ts';

export interface SentFile {
  blob: string;
  name: string;
  mime: string;
  bytes: number;
  sha256: string;
}

export interface Parameters {
  /** Returns "" if absent. */
  text(name: string): string;
  /** Returns 0 if absent or not an integer. */
  number(name: string): number;
  file(name: string): SentFile | undefined;
  /** All parts with a file name. */
  files: readonly SentFile[];
}

/** Maximum size in bytes of the fields around a file. */
const FIELDS_BYTES = 100_000;

/** @param maxBytes maximum size of one file @throws Refused */
export async function readParameters(request: SimulatorRequest, blobs: Blobs, maxBytes: number): Promise<Parameters> {
  const type = request.headers['content-type'] ?? '';
  const fields = new Map<string, string>(request.query);
  const files = new Map<string, SentFile>();
  // The gateway checks Content-Length before the body is read.
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + FIELDS_BYTES) throw new Refused(TOO_LARGE);
  if (request.method !== 'GET') {
    if (/^multipart\/form-data/i.test(type)) await readMultipart(request, blobs, maxBytes, fields, files);
    else if (/^application\/json/i.test(type)) readJson(await request.json(), fields);
    else for (const [name, value] of await request.form()) fields.set(name, value);
  }
  const text = (name: string) => fields.get(name) ?? '';
  return {
    text,
    number: (name) => (/^-?\d{1,15}$/.test(text(name)) ? Number(text(name)) : 0),
    file: (name) => files.get(name),
    files: [...files.values()],
  };
}

function readJson(body: unknown, fields: Map<string, string>): void {
  if (!isObject(body)) refuse(400, "Bad Request: can't parse the request body as a JSON object");
  for (const [name, value] of Object.entries(body))
    if (value !== null) fields.set(name, typeof value === 'string' ? value : JSON.stringify(value));
}

async function readMultipart(
  request: SimulatorRequest,
  blobs: Blobs,
  maxBytes: number,
  fields: Map<string, string>,
  files: Map<string, SentFile>,
): Promise<void> {
  const type = request.headers['content-type'] ?? '';
  if (!/boundary=/i.test(type)) refuse(400, 'Bad Request: boundary not found in multipart/form-data');
  const parser = new Busboy({ headers: { 'content-type': type }, limits: { fileSize: maxBytes + 1 } });
  const open = new Set<BusboyFileStream>();
  const stored: Promise<unknown>[] = [];
  const keys: string[] = [];
  parser.on('field', (name, value) => fields.set(name, value));
  parser.on('file', (name, stream, filename, _encoding, mime) => {
    const blob = `file/${randomUUID()}`;
    keys.push(blob);
    open.add(stream);
    const kept = blobs.put(blob, stream).then(
      (facts) => void files.set(name, { blob, name: filename ?? '', mime, ...facts }),
      (error: unknown) => {
        stream.resume();
        return error ?? new Error('The blob was not stored.');
      },
    );
    stored.push(kept);
  });
  const whole = await parseBody(request, parser, () => {
    for (const stream of open) stream.destroy(new Error('The body broke off.'));
  });
  const failure = (await Promise.all(stored)).find((error) => error !== undefined);
  const tooLarge = [...files.values()].some(({ bytes }) => bytes > maxBytes);
  if (whole && !failure && !tooLarge) return;
  for (const key of keys) await blobs.remove(key);
  if (tooLarge) throw new Refused(TOO_LARGE);
  if (!whole) refuse(400, 'Bad Request: the request body broke off');
  throw failure;
}
