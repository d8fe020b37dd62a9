import { createHash } from 'node:crypto';
import type { Json } from '../connectors/contract.ts';
import { CENTER } from '../media/types.ts';
import type { PostFields } from './types.ts';

/**
 * Hash that identifies equal requests: SHA-256 over the video and all fields in canonical form. Equivalent spellings
 * hash equally: `previewTime` absent or `0.0`, `platforms` as JSON or repeated.
 * @param video hexadecimal SHA-256 of the file, the same for a form or an upload; or the URL it is fetched from,
 * regardless of its current content
 */
export function contentHash(video: string, fields: PostFields): Buffer {
  const { platforms, description, previewTime, scheduled, fit, cropPosition, trim, options } = fields;
  const extra = [
    ...(Object.keys(options).length > 0 ? [sorted(options)] : []),
    // Counted only if they are used, so that the hashes of earlier requests stay valid.
    ...(trim || cropPosition !== CENTER ? [['adjusted', cropPosition, trim && [trim.startMs, trim.endMs]]] : []),
  ];
  const canonical = JSON.stringify([video, platforms, description, previewTime, scheduled, fit, ...extra]);
  return createHash('sha256').update(canonical).digest();
}

/** Canonical form: independent of the order of fields. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort();
  return names.map((name) => [name, sorted(value[name] ?? null)]);
}
