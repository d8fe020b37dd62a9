import { createHash } from 'node:crypto';
import type { PostFields } from './fields.ts';

/**
 * What makes two requests the same: SHA-256 over the file's own hash and every field in one form, however it was
 * written (`previewTime` absent or `0.0`, `platforms` as JSON or repeated). @param sha256 of the file, in hexadecimal
 */
export function contentHash(sha256: string, fields: PostFields): Buffer {
  const { platforms, description, previewTime, scheduled, fit } = fields;
  const canonical = JSON.stringify([sha256, platforms, description, previewTime, scheduled, fit]);
  return createHash('sha256').update(canonical).digest();
}
