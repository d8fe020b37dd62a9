/** Uploads and their processing. */
import type { Route, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { readForm } from '../../http/multipart-form.ts';
import { mediaType } from '../../http/parameters.ts';
import { firstBytes, PICTURES } from '../../http/pictures.ts';
import { Refused } from '../../refused.ts';
import { DAY } from '../../time.ts';
import { type CallerHandler, refusal, routesOf, withCaller } from './access.ts';
import { IMAGE_TYPES, VIDEO_TYPES } from './instance.ts';
import { parametersOf } from './parameters.ts';
import { mediumJson } from './present.ts';
import { IMAGE_SIZE_LIMIT, type Medium, VIDEO_SIZE_LIMIT, type World } from './state.ts';
import { invalid, type Locale, text } from './texts.ts';

const MEGABYTE = 1_048_576;
/** Maximum size in bytes of a body beyond the file. */
const FORM_OVERHEAD = MEGABYTE;
/** Magic bytes of JPEG, PNG, GIF, and WebP, hex. */
const BEGINNINGS = [...Object.values(PICTURES), '47494638', '52494646'];
const BROKEN = 'Error processing thumbnail for uploaded media';

/** Response of the proxy in front of the server to a body that is too large. */
const TOO_LARGE: SimulatorResponse = {
  status: 413,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>413 Request Entity Too Large</title></head><body><center><h1>413 Request Entity Too Large</h1></center><hr><center>nginx</center></body></html>',
};

const create: CallerHandler = async (world, request, caller) => {
  const { locale, switches, account } = caller;
  const videoLimit = switches.videoSizeLimit ?? VIDEO_SIZE_LIMIT;
  if (Number(request.headers['content-length'] ?? 0) > videoLimit + FORM_OVERHEAD) return TOO_LARGE;
  const id = world.nextId();
  const blob = `media/${id}`;
  const upload = await readForm(request, { blobs: world.options.blobs, key: blob, maxBytes: videoLimit });
  const refuse = async (response: SimulatorResponse): Promise<never> => {
    if (upload?.file) await world.options.blobs.remove(blob);
    throw new Refused(response);
  };
  if (!upload?.file) return refuse(refusal(422, invalid(locale, 'fileBlank')));
  const { mime, bytes, sha256 } = upload.file;
  const kind = VIDEO_TYPES.includes(mime) ? 'video' : IMAGE_TYPES.includes(mime) ? 'image' : null;
  if (!kind) return refuse(refusal(422, invalid(locale, 'fileType')));
  const limit = kind === 'video' ? videoLimit : IMAGE_SIZE_LIMIT;
  if (bytes > videoLimit || bytes > limit)
    return refuse(refusal(422, invalid(locale, 'fileSize', `${Math.floor(limit / MEGABYTE)} MB`)));
  const refused = kind === 'video' && switches.refuseMedia && uploadErrors(locale)[switches.refuseMedia];
  if (refused) return refuse(refused);
  const now = world.now();
  const ready = kind === 'image' || switches.synchronousMedia === true;
  const medium: Medium = {
    id,
    accountId: account.id,
    kind,
    mime,
    bytes,
    sha256,
    blob,
    description: upload.fields.get('description') ?? null,
    thumbnail: null,
    createdAt: now,
    readyAt: ready ? now : now + world.options.processingMs,
    statusId: null,
  };
  await world.options.store.put('medium', id, medium, account.id);
  // The first response never has a video's URL, regardless of processing time.
  return ready
    ? { status: 200, body: mediumJson(world, medium) }
    : { status: 202, body: { ...mediumJson(world, medium), url: null } };
};

/** Responses to the upload of a video that {@link MastodonSwitches.refuseMedia} selects. */
function uploadErrors(locale: Locale): Partial<Record<string, SimulatorResponse>> {
  return {
    noVideoStream: refusal(422, text(locale, 'noVideoStream')),
    dimensions: refusal(422, text(locale, 'dimensions', '4320x7680')),
    frameRate: refusal(422, text(locale, 'frameRate', '240')),
    brokenUpload: refusal(500, BROKEN),
  };
}

/** Returns an unattached medium of the account. An attached one is not found. */
const show: CallerHandler = async (world, request, caller) => {
  const { locale, switches, account } = caller;
  const id = request.params.id ?? '';
  const medium = await world.options.store.get<Medium>('medium', id);
  if (!medium || medium.accountId !== account.id || medium.statusId !== null || isForgotten(world, medium))
    return refusal(404, text(locale, 'notFound'));
  if (medium.kind === 'video' && switches.refuseMedia === 'processing') return refusal(422, BROKEN);
  return { status: medium.readyAt <= world.now() ? 200 : 206, body: mediumJson(world, medium) };
};

/** Updates description and thumbnail of an unattached medium, from any kind of body. */
const update: CallerHandler = async (world, request, caller) => {
  const { blobs } = world.options;
  const id = request.params.id ?? '';
  const found = await show(world, request, caller);
  if (mediaType(request) !== 'multipart/form-data') {
    if (found.status >= 400) return found;
    return changed(world, id, found.status, { description: (await parametersOf(request)).one('description') });
  }
  const key = `thumbnail/${id}-${world.nextId()}`;
  const form = await readForm(request, { blobs, key, maxBytes: IMAGE_SIZE_LIMIT, part: 'thumbnail' });
  const picture = form?.file && (await firstBytes(blobs, key));
  await blobs.remove(key);
  if (found.status >= 400) return found;
  if (!form) return refusal(422, invalid(caller.locale, 'fileType'));
  const isPicture = BEGINNINGS.some((begins) => picture?.startsWith(begins));
  if (form.file && (!IMAGE_TYPES.includes(form.file.mime) || form.file.bytes > IMAGE_SIZE_LIMIT || !isPicture))
    return refusal(422, invalid(caller.locale, 'fileType'));
  const description = form.fields.get('description');
  return changed(world, id, found.status, { thumbnail: form.file?.sha256, description });
};

/** Sets the given properties, and responds with the medium. */
async function changed(
  world: World,
  id: string,
  status: number,
  { thumbnail, description }: { thumbnail?: string | undefined; description?: string | undefined },
): Promise<SimulatorResponse> {
  const medium = await world.options.store.change<Medium>(
    'medium',
    id,
    (known) =>
      known && {
        ...known,
        thumbnail: thumbnail ?? known.thumbnail,
        description: description ?? known.description,
      },
  );
  return { status, body: medium ? mediumJson(world, medium) : {} };
}

/** Whether the cleanup has removed an unattached medium: it does so after a day. */
export function isForgotten(world: World, medium: Medium): boolean {
  return medium.statusId === null && medium.createdAt + DAY <= world.now();
}

async function file(world: World, { params }: SimulatorRequest): Promise<SimulatorResponse> {
  const medium = await world.options.store.get<Medium>('medium', params.id ?? '');
  if (!medium || medium.readyAt > world.now()) return refusal(404, 'Record not found');
  return {
    status: 200,
    headers: { 'content-type': medium.mime, 'content-length': String(medium.bytes) },
    body: await world.options.blobs.get(medium.blob),
  };
}

export function mediaRoutes(world: World): Route[] {
  const route = routesOf(world);
  return [
    route('POST', '/api/v2/media', withCaller(['write:media'], ['all', 'media'], create)),
    route('GET', '/api/v1/media/:id', withCaller(['write:media'], ['all'], show)),
    route('PUT', '/api/v1/media/:id', withCaller(['write:media'], ['all'], update)),
    route('GET', '/system/media_attachments/:id/original', file),
  ];
}
