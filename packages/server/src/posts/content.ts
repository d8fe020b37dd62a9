import { createHash } from 'node:crypto';
import type { Json } from '../connectors/contract.ts';
import type { PostFields } from './fields.ts';

/**
 * What makes two requests the same: SHA-256 over the file's own hash and every field in one form, however it was
 * written (`previewTime` absent or `0.0`, `platforms` as JSON or repeated).
 * @param video SHA-256 of the file in hexadecimal, the same whether it came with the form or as an upload; or the address that
 *   it is fetched from, whatever is there by now
 */
export function contentHash(video: string, fields: PostFields): Buffer {
  const { platforms, description, previewTime, scheduled, fit, options } = fields;
  const asked = Object.keys(options).length > 0 ? [sorted(options)] : [];
  const canonical = JSON.stringify([video, platforms, description, previewTime, scheduled, fit, ...asked]);
  return createHash('sha256').update(canonical).digest();
}

/** The same value whatever the order in which its fields were written. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort();
  return names.map((name) => [name, sorted(value[name] ?? null)]);
}
