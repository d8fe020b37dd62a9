/**
 * Validates a record as a PDS does. Rules: lexicons app.bsky.feed.post, app.bsky.embed.video, app.bsky.richtext.facet.
 */
import { at } from '../../json.ts';
import { cidBytes, TID } from './ids.ts';

export interface BlobRef {
  cid: string;
  mimeType: string;
  size: number;
}

/** Returns the validation error in the words of a PDS, or null. */
export function recordFault(collection: string, rkey: string, record: unknown): string | null {
  const type = at(record, '$type');
  if (type !== undefined && type !== collection) return `Invalid $type: expected ${collection}, got ${String(type)}`;
  if (collection !== 'app.bsky.feed.post') return null;
  if (!TID.test(rkey)) return `Invalid record key for ${collection}: Invalid TID string (got "${rkey}") at $`;
  const fault = postFault(record);
  return fault && `Invalid ${collection} record: ${fault}`;
}

function postFault(record: unknown): string | null {
  return firstOf(
    () => required(record, '$.record', 'text', 'createdAt'),
    () => text(at(record, 'text'), '$.record.text', { bytes: 3000, graphemes: 300 }),
    () => datetime(at(record, 'createdAt'), '$.record.createdAt'),
    () => list(at(record, 'langs'), '$.record.langs', 3, language),
    () => list(at(record, 'tags'), '$.record.tags', 8, (tag, path) => text(tag, path, { bytes: 640, graphemes: 64 })),
    () => list(at(record, 'facets'), '$.record.facets', Number.POSITIVE_INFINITY, facet),
    () => labels(at(record, 'labels')),
    () => embed(at(record, 'embed')),
  );
}

function facet(value: unknown, path: string): string | null {
  return firstOf(
    () => required(value, path, 'index', 'features'),
    () => integer(at(value, 'index', 'byteStart'), `${path}.index.byteStart`, 0),
    () => integer(at(value, 'index', 'byteEnd'), `${path}.index.byteEnd`, 0),
    () => list(at(value, 'features'), `${path}.features`, Number.POSITIVE_INFINITY, feature),
  );
}

function feature(value: unknown, path: string): string | null {
  switch (at(value, '$type')) {
    case 'app.bsky.richtext.facet#mention':
      return /^did:[a-z]+:[\w.:%-]+$/.test(String(at(value, 'did')))
        ? null
        : `Invalid DID (got ${shown(at(value, 'did'))}) at ${path}.did`;
    case 'app.bsky.richtext.facet#link':
      return /^[a-z][a-z0-9+.-]*:\S+$/i.test(String(at(value, 'uri')))
        ? null
        : `Invalid URI (got ${shown(at(value, 'uri'))}) at ${path}.uri`;
    case 'app.bsky.richtext.facet#tag':
      return text(at(value, 'tag'), `${path}.tag`, { bytes: 640, graphemes: 64 });
    default:
      return null;
  }
}

/** The union is open: values of unknown types are not validated. */
function labels(value: unknown): string | null {
  const path = '$.record.labels';
  if (value === undefined) return null;
  if (at(value, '$type') === undefined) return `Expected an object with a "$type" property at ${path}`;
  if (at(value, '$type') !== 'com.atproto.label.defs#selfLabels') return null;
  return firstOf(
    () => required(value, path, 'values'),
    () =>
      list(at(value, 'values'), `${path}.values`, 10, (label, where) =>
        firstOf(
          () => required(label, where, 'val'),
          () => text(at(label, 'val'), `${where}.val`, { bytes: 128, graphemes: 128 }),
        ),
      ),
  );
}

function embed(value: unknown): string | null {
  const path = '$.record.embed';
  if (value === undefined || at(value, '$type') !== 'app.bsky.embed.video') return null;
  const video = at(value, 'video');
  const size = at(video, 'size');
  const mime = at(video, 'mimeType');
  const ratio = at(value, 'aspectRatio');
  return firstOf(
    () => required(value, path, 'video'),
    () => (blobRef(video) ? null : `Expected blob value type (got object) at ${path}.video`),
    () => (mime === 'video/mp4' ? null : `Expected "video/mp4" (got ${shown(mime)}) at ${path}.video.mimeType`),
    () => (Number(size) <= 300_000_000 ? null : `blob too big (maximum 300000000, got ${size}) at ${path}.video`),
    () =>
      at(value, 'alt') === undefined ? null : text(at(value, 'alt'), `${path}.alt`, { bytes: 10_000, graphemes: 1000 }),
    () => (ratio === undefined ? null : integer(at(ratio, 'width'), `${path}.aspectRatio.width`, 1)),
    () => (ratio === undefined ? null : integer(at(ratio, 'height'), `${path}.aspectRatio.height`, 1)),
  );
}

/** Lists every blob that a record references. */
export function blobsIn(value: unknown): BlobRef[] {
  const here = blobRef(value);
  if (here) return [here];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(blobsIn) : [];
}

function blobRef(value: unknown): BlobRef | null {
  const cid = at(value, 'ref', '$link');
  const mimeType = at(value, 'mimeType');
  const size = at(value, 'size');
  const valid = at(value, '$type') === 'blob' && typeof cid === 'string' && cidBytes(cid);
  return valid && typeof mimeType === 'string' && typeof size === 'number' ? { cid, mimeType, size } : null;
}

function required(value: unknown, path: string, ...names: string[]): string | null {
  const missing = names.find((name) => at(value, name) === undefined);
  return missing === undefined ? null : `Missing required key "${missing}" at ${path}`;
}

function text(value: unknown, path: string, limit: { bytes: number; graphemes: number }): string | null {
  if (typeof value !== 'string') return `Expected string value type (got ${shown(value)}) at ${path}`;
  const bytes = Buffer.byteLength(value);
  if (bytes > limit.bytes) return `string too big (maximum ${limit.bytes}, got ${bytes}) at ${path}`;
  const graphemes = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(value)].length;
  return graphemes > limit.graphemes
    ? `grapheme too big (maximum ${limit.graphemes}, got ${graphemes}) at ${path}`
    : null;
}

function datetime(value: unknown, path: string): string | null {
  const valid = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value);
  return valid && !Number.isNaN(Date.parse(value)) ? null : `Invalid datetime (got ${shown(value)}) at ${path}`;
}

function language(value: unknown, path: string): string | null {
  return /^[a-z]{2,3}(-[a-z0-9]+)*$/i.test(String(value)) ? null : `Invalid language (got ${shown(value)}) at ${path}`;
}

function integer(value: unknown, path: string, minimum: number): string | null {
  if (typeof value !== 'number' || !Number.isInteger(value))
    return `Expected integer value type (got ${shown(value)}) at ${path}`;
  return value < minimum ? `integer too small (minimum ${minimum}, got ${value}) at ${path}` : null;
}

function list(
  value: unknown,
  path: string,
  maximum: number,
  item: (value: unknown, path: string) => string | null,
): string | null {
  if (value === undefined) return null;
  if (!Array.isArray(value)) return `Expected array value type (got ${shown(value)}) at ${path}`;
  if (value.length > maximum) return `array too big (maximum ${maximum}, got ${value.length}) at ${path}`;
  return firstOf(...value.map((one, index) => () => item(one, `${path}[${index}]`)));
}

function firstOf(...checks: (() => string | null)[]): string | null {
  for (const check of checks) {
    const fault = check();
    if (fault !== null) return fault;
  }
  return null;
}

function shown(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'object' : (JSON.stringify(value) ?? 'undefined');
}
