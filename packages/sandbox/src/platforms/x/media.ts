/** Media uploads: initialize, append, finalize, STATUS. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { SimulatorOptions } from '../../contract.ts';
import { mediaType } from '../../http/parameters.ts';
import type { JsonObject } from '../../json.ts';
import { Refused } from '../../refused.ts';
import { totalBytes } from '../../store/chunks.ts';
import { ownedBy } from '../../store/records.ts';
import type { Caller, CallerHandler } from './caller.ts';
import { invalid } from './problems.ts';
import { readBody, rejectUnknown } from './query.ts';
import { type Medium, newId, type Segment, type XSwitches } from './records.ts';
import { receiveSegment } from './segment.ts';

const DAY_SECONDS = 86_400;
const MAX_TOTAL_BYTES = 17_179_869_184;
/** Maximum video size without a subscription, bytes. */
const MAX_VIDEO_BYTES = 8 * 1024 ** 3;
/** Gateways were observed rejecting segments of 5 MB. */
const MAX_SEGMENT_BYTES = 4 * 1024 ** 2;

const IMAGES = ['jpeg', 'gif', 'bmp', 'png', 'webp', 'pjpeg', 'tiff'].map((name) => `image/${name}`);
const VIDEOS = ['video/mp4', 'video/webm', 'video/mp2t', 'video/quicktime'];
const PREFIXES: Record<string, string> = { tweet_video: '7', amplify_video: '13', tweet_image: '3', tweet_gif: '16' };

const INITIALIZE = z.strictObject({
  media_type: z.enum([...VIDEOS, 'text/srt', 'text/vtt', ...IMAGES, 'model/gltf-binary', 'model/vnd.usdz+zip']),
  media_category: z.enum([
    'amplify_video',
    'tweet_gif',
    'tweet_image',
    'tweet_video',
    'dm_gif',
    'dm_image',
    'dm_video',
    'subtitles',
  ]),
  total_bytes: z.int().min(0).max(MAX_TOTAL_BYTES),
  shared: z.boolean().optional(),
  additional_owners: z.array(z.string().regex(/^\d{1,19}$/)).optional(),
});

export const initialize: CallerHandler = async (options, request, { account, switches }) => {
  const body = await readBody(request, INITIALIZE);
  const { media_type: type, media_category: category, total_bytes: totalBytes } = body;
  const isVideo = category.endsWith('_video');
  if (isVideo !== VIDEOS.includes(type)) return invalid(`media_type ${type} does not go with ${category}.`);
  if (isVideo && account.subscription === 'None' && totalBytes > MAX_VIDEO_BYTES)
    return invalid('File size exceeds the maximum.');
  const medium = newMedium(options, account.id, { type, category, totalBytes }, switches);
  await options.store.put('media', medium.id, medium, account.id);
  return { status: switches.olderGateway ? 202 : 200, body: { data: dataOf(options, medium, switches) } };
};

function newMedium(
  options: SimulatorOptions,
  accountId: string,
  given: Pick<Medium, 'type' | 'category' | 'totalBytes'>,
  { mediaSeconds = DAY_SECONDS }: XSwitches,
): Medium {
  const id = newId(options);
  const key = `${PREFIXES[given.category] ?? '2'}_${id}`;
  const expiresAt = options.now() + mediaSeconds * 1000;
  return { id, accountId, key, ...given, expiresAt, blobs: null, finalizedAt: 0, readyAt: 0, error: null };
}

const UPLOAD = z.strictObject({
  media: z.base64().min(1),
  media_category: z.enum(['tweet_image', 'dm_image', 'subtitles']),
  media_type: z.enum([...IMAGES, 'text/srt', 'text/vtt']).optional(),
  shared: z.boolean().optional(),
  additional_owners: z.array(z.string().regex(/^\d{1,19}$/)).optional(),
});

/** Uploads a picture or subtitles in one request, as JSON ("Upload media"). */
export const upload: CallerHandler = async (options, request, { account, switches }) => {
  const { media, media_category: category, media_type: type = 'image/jpeg' } = await readBody(request, UPLOAD);
  const bytes = Buffer.from(media, 'base64');
  const medium = newMedium(options, account.id, { type, category, totalBytes: bytes.length }, switches);
  const blob = `media/${medium.id}/whole`;
  await options.blobs.put(blob, Readable.from([bytes]));
  const now = options.now();
  const stored: Medium = { ...medium, blobs: [blob], finalizedAt: now, readyAt: now };
  await options.store.put('media', medium.id, stored, account.id);
  return { status: 200, body: { data: { ...dataOf(options, stored, switches), size: bytes.length } } };
};

const METADATA = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  metadata: z.object({ alt_text: z.object({ text: z.string().max(1_000) }).optional() }).optional(),
});

/** Stores nothing, because nothing shows the metadata. */
export const describeMedia: CallerHandler = async (options, request, caller) => {
  const { id, metadata = {} } = await readBody(request, METADATA);
  await mediumOf(options, id, caller);
  return { status: 200, body: { data: { id, associated_metadata: metadata } } };
};

export const append: CallerHandler = async (options, request, caller) => {
  // Parameters belong in the body; in the URL they make the request head too large.
  if (request.query.size > 0) return { status: 431 };
  const medium = await mediumOf(options, request.params.id ?? '', caller);
  const limit = caller.switches.maxSegmentBytes ?? MAX_SEGMENT_BYTES;
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > (mediaType(request) === 'application/json' ? (limit * 4) / 3 : limit) + 10_000) return { status: 413 };
  if (medium.blobs) return invalid('The upload is finalized.', { id: [medium.id] });
  const blob = `media/${medium.id}/${randomUUID()}`;
  const received = await receiveSegment(request, options.blobs, blob, limit);
  if (received === 'too large') return { status: 413 };
  if (typeof received === 'string') return invalid(received);
  const segment: Segment = { ...received, blob };
  let replaced: string | undefined;
  await options.store.change<Segment>(
    'segment',
    `${medium.id} ${segment.index}`,
    (current) => {
      replaced = current?.blob;
      return segment;
    },
    medium.id,
  );
  if (replaced) await options.blobs.remove(replaced);
  if (caller.switches.olderGateway) return { status: 204 };
  return { status: 200, body: { data: { expires_at: Math.floor(medium.expiresAt / 1000) } } };
};

export const finalize: CallerHandler = async (options, request, caller) => {
  // X documents no body; twitter-api-v2 sends an empty object.
  if (!['', '{}'].includes(await request.text())) return invalid('finalize takes no body.');
  const medium = await mediumOf(options, request.params.id ?? '', caller);
  if (medium.blobs && caller.switches.finalizeOnce) return invalid('The upload is finalized.', { id: [medium.id] });
  const segments = (await ownedBy<Segment>(options, 'segment', medium.id)).sort((a, b) => a.index - b.index);
  const bytes = totalBytes(segments);
  if (bytes !== medium.totalBytes || segments.some((segment, index) => segment.index !== index))
    return invalid('Segments do not add up to provided total file size', { id: [medium.id] });
  const finalizedAt = options.now();
  const finalized = {
    blobs: segments.map(({ blob }) => blob),
    finalizedAt,
    readyAt: finalizedAt + (caller.switches.synchronousMedia ? 0 : options.processingMs),
    error: await errorOf(options, medium, caller.switches),
  };
  const done = await options.store.change<Medium>('media', medium.id, (current) =>
    current && !current.blobs ? { ...current, ...finalized } : undefined,
  );
  return { status: 200, body: { data: { ...dataOf(options, done ?? medium, caller.switches), size: bytes } } };
};

export const status: CallerHandler = async (options, request, caller) => {
  rejectUnknown(request.query, ['command', 'media_id']);
  if ((request.query.get('command') ?? 'STATUS') !== 'STATUS')
    return invalid('command must be STATUS.', { command: [] });
  const medium = await mediumOf(options, request.query.get('media_id') ?? '', caller);
  return { status: 200, body: { data: dataOf(options, medium, caller.switches) } };
};

/** Returns the account's own medium if it has not expired. @throws Refused */
async function mediumOf(options: SimulatorOptions, id: string, { account }: Caller): Promise<Medium> {
  const medium = await options.store.get<Medium>('media', id);
  if (medium?.accountId === account.id && medium.expiresAt > options.now()) return medium;
  throw new Refused(invalid('The media id is not known or has expired.', { id: [id] }));
}

/** Whether a medium can be attached to a post now. */
export function isUsable(options: SimulatorOptions, medium: Medium): boolean {
  return medium.blobs !== null && !medium.error && medium.readyAt <= options.now() && medium.expiresAt > options.now();
}

function dataOf(options: SimulatorOptions, medium: Medium, switches: XSwitches): JsonObject {
  const data: JsonObject = {
    id: medium.id,
    media_key: medium.key,
    expires_after_secs: Math.max(0, Math.floor((medium.expiresAt - options.now()) / 1000)),
  };
  if (!medium.blobs || switches.synchronousMedia || !medium.category.endsWith('_video')) return data;
  const left = medium.readyAt - options.now();
  if (left <= 0 && medium.error) data.processing_info = { state: 'failed', progress_percent: 100, error: medium.error };
  else if (left <= 0) data.processing_info = { state: 'succeeded', progress_percent: 100 };
  else {
    const span = Math.max(1, medium.readyAt - medium.finalizedAt);
    const percent = Math.floor(((span - left) * 100) / span);
    const check = { check_after_secs: Math.max(1, Math.ceil(left / 1000)) };
    data.processing_info =
      percent === 0 ? { state: 'pending', ...check } : { state: 'in_progress', progress_percent: percent, ...check };
  }
  return data;
}

/** The processing error that the switch requests for this medium, or null. */
async function errorOf(options: SimulatorOptions, medium: Medium, { processingError }: XSwitches) {
  if (!processingError) return null;
  const { times = Number.POSITIVE_INFINITY, ...error } = processingError;
  const injected = await options.store.list('struck', { limit: 1_000 });
  if (injected.length >= times) return null;
  await options.store.insert('struck', medium.id, true);
  return error;
}
