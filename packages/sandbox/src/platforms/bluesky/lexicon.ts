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

/** A value that breaks a rule, in the words of a PDS. */
class LexiconFault extends Error {}

/** Returns the validation error in the words of a PDS, or null. */
export function recordFault(collection: string, rkey: string, record: unknown): string | null {
  const type = at(record, '$type');
  if (type !== undefined && type !== collection) return `Invalid $type: expected ${collection}, got ${String(type)}`;
  if (collection !== 'app.bsky.feed.post') return null;
  if (!TID.test(rkey)) return `Invalid record key for ${collection}: Invalid TID string (got "${rkey}") at $`;
  try {
    checkPost(record);
    return null;
  } catch (error) {
    if (error instanceof LexiconFault) return `Invalid ${collection} record: ${error.message}`;
    throw error;
  }
}

function fault(message: string): never {
  throw new LexiconFault(message);
}

/** Checks the value at a path. @throws LexiconFault */
type Check = (value: unknown, path: string) => void;

function checkPost(record: unknown): void {
  checkKeys(record, '$.record', 'text', 'createdAt');
  text(3000, 300)(at(record, 'text'), '$.record.text');
  checkTime(at(record, 'createdAt'), '$.record.createdAt');
  list(3, checkLanguage)(at(record, 'langs'), '$.record.langs');
  list(8, text(640, 64))(at(record, 'tags'), '$.record.tags');
  list(Number.POSITIVE_INFINITY, checkFacet)(at(record, 'facets'), '$.record.facets');
  checkLabels(at(record, 'labels'), '$.record.labels');
  checkEmbed(at(record, 'embed'), '$.record.embed');
}

const checkFacet: Check = (value, path) => {
  checkKeys(value, path, 'index', 'features');
  integer(0)(at(value, 'index', 'byteStart'), `${path}.index.byteStart`);
  integer(0)(at(value, 'index', 'byteEnd'), `${path}.index.byteEnd`);
  list(Number.POSITIVE_INFINITY, checkFeature)(at(value, 'features'), `${path}.features`);
};

const checkFeature: Check = (value, path) => {
  switch (at(value, '$type')) {
    case 'app.bsky.richtext.facet#mention':
      return matching(/^did:[a-z]+:[\w.:%-]+$/, 'DID')(at(value, 'did'), `${path}.did`);
    case 'app.bsky.richtext.facet#link':
      return matching(/^[a-z][a-z0-9+.-]*:\S+$/i, 'URI')(at(value, 'uri'), `${path}.uri`);
    case 'app.bsky.richtext.facet#tag':
      return text(640, 64)(at(value, 'tag'), `${path}.tag`);
  }
};

/** The union is open: values of unknown types are not validated. */
const checkLabels: Check = (value, path) => {
  if (value === undefined) return;
  if (at(value, '$type') === undefined) fault(`Expected an object with a "$type" property at ${path}`);
  if (at(value, '$type') !== 'com.atproto.label.defs#selfLabels') return;
  checkKeys(value, path, 'values');
  list(10, checkLabel)(at(value, 'values'), `${path}.values`);
};

const checkLabel: Check = (value, path) => {
  checkKeys(value, path, 'val');
  text(128, 128)(at(value, 'val'), `${path}.val`);
};

const checkEmbed: Check = (value, path) => {
  if (value === undefined || at(value, '$type') !== 'app.bsky.embed.video') return;
  const [video, alt, ratio] = [at(value, 'video'), at(value, 'alt'), at(value, 'aspectRatio')];
  const [size, mime] = [at(video, 'size'), at(video, 'mimeType')];
  checkKeys(value, path, 'video');
  if (!blobRef(video)) fault(`Expected blob value type (got object) at ${path}.video`);
  if (mime !== 'video/mp4') fault(`Expected "video/mp4" (got ${shown(mime)}) at ${path}.video.mimeType`);
  if (!(Number(size) <= 300_000_000)) fault(`blob too big (maximum 300000000, got ${size}) at ${path}.video`);
  if (alt !== undefined) text(10_000, 1000)(alt, `${path}.alt`);
  if (ratio === undefined) return;
  integer(1)(at(ratio, 'width'), `${path}.aspectRatio.width`);
  integer(1)(at(ratio, 'height'), `${path}.aspectRatio.height`);
};

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

function checkKeys(value: unknown, path: string, ...names: string[]): void {
  const missing = names.find((name) => at(value, name) === undefined);
  if (missing !== undefined) fault(`Missing required key "${missing}" at ${path}`);
}

function text(maxBytes: number, maxGraphemes: number): Check {
  return (value, path) => {
    if (typeof value !== 'string') fault(`Expected string value type (got ${shown(value)}) at ${path}`);
    const bytes = Buffer.byteLength(value);
    if (bytes > maxBytes) fault(`string too big (maximum ${maxBytes}, got ${bytes}) at ${path}`);
    const graphemes = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(value)].length;
    if (graphemes > maxGraphemes) fault(`grapheme too big (maximum ${maxGraphemes}, got ${graphemes}) at ${path}`);
  };
}

function matching(pattern: RegExp, kind: string): Check {
  return (value, path) => {
    if (!pattern.test(String(value))) fault(`Invalid ${kind} (got ${shown(value)}) at ${path}`);
  };
}

const checkLanguage = matching(/^[a-z]{2,3}(-[a-z0-9]+)*$/i, 'language');

const checkTime: Check = (value, path) => {
  const valid = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value);
  if (!valid || Number.isNaN(Date.parse(value))) fault(`Invalid datetime (got ${shown(value)}) at ${path}`);
};

function integer(minimum: number): Check {
  return (value, path) => {
    if (typeof value !== 'number' || !Number.isInteger(value))
      fault(`Expected integer value type (got ${shown(value)}) at ${path}`);
    if (value < minimum) fault(`integer too small (minimum ${minimum}, got ${value}) at ${path}`);
  };
}

/** An optional list. */
function list(maximum: number, check: Check): Check {
  return (value, path) => {
    if (value === undefined) return;
    if (!Array.isArray(value)) fault(`Expected array value type (got ${shown(value)}) at ${path}`);
    if (value.length > maximum) fault(`array too big (maximum ${maximum}, got ${value.length}) at ${path}`);
    for (const [index, item] of value.entries()) check(item, `${path}[${index}]`);
  };
}

function shown(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'object' : (JSON.stringify(value) ?? 'undefined');
}
