/** Parses the headers of tus 1.0 (https://tus.io/protocols/resumable-upload). Pure. */
import { apiError } from '../errors/reelay-error.ts';

/** Supported checksum algorithms for a piece. The protocol requires sha1. */
export const CHECKSUMS = ['sha256', 'sha1'] as const;

export interface Checksum {
  algorithm: (typeof CHECKSUMS)[number];
  digest: Buffer;
}

const MAX_NAME = 255;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/**
 * Parses a number of bytes.
 * @throws ReelayError `invalid_request`, naming the header, if it is missing or not a whole number
 */
export function parseBytes(name: string, value: string | undefined): number {
  if (value === undefined) throw apiError('header_missing', { name });
  if (!/^\d{1,15}$/.test(value)) throw apiError('header_not_bytes', { name });
  return Number(value);
}

/**
 * Parses `Upload-Metadata`: comma-separated keys with base64 values. Unknown keys are kept for the client.
 * @throws ReelayError `invalid_request`
 */
export function parseMetadata(header: string | undefined): { filename: string | null; sha256: string | null } {
  const pairs = new Map<string, Buffer>();
  for (const pair of header?.trim() ? header.split(',') : []) {
    const [key = '', value = '', ...more] = pair.trim().split(/ +/);
    if (!/^[\x21-\x2b\x2d-\x7e]+$/.test(key) || !BASE64.test(value) || more.length > 0 || pairs.has(key))
      throw apiError('metadata_invalid');
    pairs.set(key, Buffer.from(value, 'base64'));
  }
  const sha256 = pairs.get('sha256')?.toString('latin1').toLowerCase() ?? null;
  if (sha256 !== null && !/^[0-9a-f]{64}$/.test(sha256)) throw apiError('metadata_sha256_invalid');
  return { filename: nameIn(pairs.get('filename')), sha256 };
}

/** The file name without folders; null if it is not text. */
function nameIn(value: Buffer | undefined): string | null {
  const text = value?.toString('utf8').split(/[/\\]/).at(-1)?.slice(0, MAX_NAME) ?? '';
  return text === '' || /[\0\ufffd]/.test(text) ? null : text.toWellFormed();
}

/**
 * Parses `Upload-Checksum`: an algorithm and the hash in base64; null if the header is absent.
 * @throws ReelayError `invalid_request`
 */
export function parseChecksum(header: string | undefined): Checksum | null {
  if (header === undefined) return null;
  const [name, value = '', ...more] = header.trim().split(/ +/);
  const algorithm = CHECKSUMS.find((each) => each === name);
  if (!algorithm) throw apiError('checksum_algorithm_unknown', { allowed: CHECKSUMS.join(', ') });
  const digest = Buffer.from(value, 'base64');
  if (!BASE64.test(value) || more.length > 0 || digest.length !== (algorithm === 'sha1' ? 20 : 32))
    throw apiError('checksum_invalid', { algorithm });
  return { algorithm, digest };
}
