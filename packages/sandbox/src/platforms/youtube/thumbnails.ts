/** `POST /upload/youtube/v3/thumbnails/set`: replaces a video's thumbnails with a custom one. */
import { createHash } from 'node:crypto';
import type { SimulatorRequest } from '../../contract.ts';
import { mediaType } from '../../http/parameters.ts';
import { PICTURES } from '../../http/pictures.ts';
import { update } from '../../store/records.ts';
import { asCaller } from './caller.ts';
import { MAY_UPLOAD, type Video } from './records.ts';
import { badRequest, listResponse, onlyParameters, refuse } from './responses.ts';

const UNITS = 50;
const UNKNOWN_TYPE = 'application/octet-stream';
/** The limit in older documentation pages, bytes; the discovery document allows 50 MiB. */
const MAX_BYTES = 2 * 1024 * 1024;

export const setThumbnail = asCaller(
  'units',
  MAY_UPLOAD,
  async (options, request, { account }) => {
    onlyParameters(request, ['videoId', 'uploadType']);
    if (request.query.get('uploadType') !== 'media') return badRequest('uploadType must be "media".');
    const video = await options.store.get<Video>('video', request.query.get('videoId') ?? '');
    if (!video || video.deleted) return refuse('videoNotFound', 'The video cannot be found.');
    if (video.channelId !== account.channelId || !account.verified)
      return refuse(
        'forbidden',
        "The authenticated user doesn't have permissions to upload and set custom video thumbnails.",
      );
    const type = mediaType(request);
    const begins = type === UNKNOWN_TYPE ? Object.values(PICTURES) : [PICTURES[type]];
    if (begins[0] === undefined) return badRequest('The media type is not supported.');
    const bytes = await bytesOf(request);
    if (!bytes) return refuse('mediaBodyInvalid', 'The picture is too large.');
    if (bytes.length === 0) return refuse('mediaBodyRequired', 'The request does not include the image content.');
    const first = bytes.toString('hex', 0, 8);
    if (!begins.some((start) => start !== undefined && first.startsWith(start)))
      return refuse('mediaBodyInvalid', 'The picture is of another type.');
    const thumbnail = createHash('sha256').update(bytes).digest('hex');
    await update<Video>(options.store, ['video', video.id], { thumbnail });
    const url = `${options.baseUrl}/vi/${video.id}/default.jpg`;
    return listResponse('thumbnailSetResponse', [{ default: { url, width: 120, height: 90 } }]);
  },
  UNITS,
);

/** Null if the body is too large. */
async function bytesOf({ body }: SimulatorRequest): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BYTES) chunks.push(chunk);
  }
  return size > MAX_BYTES ? null : Buffer.concat(chunks);
}
