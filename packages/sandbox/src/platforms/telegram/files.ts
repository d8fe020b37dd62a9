/** Files and covers: uploaded, referenced by id, or fetched from a URL; and their download. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Route, SimulatorOptions, SimulatorResponse } from '../../contract.ts';
import type { ReceivedFile } from '../../http/multipart-form.ts';
import { firstBytes, PICTURES } from '../../http/pictures.ts';
import type { JsonObject } from '../../json.ts';
import { botOf, type Call } from './caller.ts';
import { type Bot, MAX_BYTES_BY_URL, MAX_BYTES_TO_GET, type Photo, type StoredFile, switchesOf } from './records.ts';
import { NOT_FOUND, ok, refuse, WRONG_FILE } from './responses.ts';

/** Returns the file of the parameter `video`. @throws Refused */
export async function videoOf(options: SimulatorOptions, call: Call): Promise<StoredFile> {
  const { given, bot } = call;
  const named = given.text('video');
  const part = given.file('video') ?? (named.startsWith('attach://') ? given.file(named.slice(9)) : undefined);
  if (part) return store(options, call, part);
  if (named === '') refuse(400, 'Bad Request: there is no video in the request');
  if (named.startsWith('attach://')) refuse(400, WRONG_FILE);
  if (/^https?:/i.test(named)) return fetched(options, call, named);
  const file = await fileOf(options, named, bot);
  if (file?.kind !== 'video') return refuse(400, WRONG_FILE);
  return file;
}

async function store(
  options: SimulatorOptions,
  { bot, given }: Call,
  { part: _part, ...received }: ReceivedFile,
): Promise<StoredFile> {
  const { silentVideos } = await switchesOf(options);
  const mime = mimeOf(received.name);
  return storeFor(options, bot.id, {
    uniqueId: newUniqueId(),
    ...received,
    mime,
    kind: mime !== 'video/mp4' ? 'document' : silentVideos ? 'animation' : 'video',
    width: given.number('width'),
    height: given.number('height'),
    duration: given.number('duration'),
    storedAt: options.now(),
  });
}

export function newUniqueId(): string {
  return `AgAD${randomBytes(8).toString('base64url')}`;
}

const TYPES: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
};

/**
 * Returns the type of an uploaded file by the extension of its name. The server ignores the part's Content-Type
 * (Client.cpp of tdlib/telegram-bot-api passes the name only, and TDLib's MessageContent.cpp derives the type from it).
 */
function mimeOf(name: string): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return TYPES[extension] ?? 'application/octet-stream';
}

/** Telegram fetches small files from a URL. */
async function fetched(options: SimulatorOptions, call: Call, url: string): Promise<StoredFile> {
  const response = await options.fetch(url);
  if (response?.status !== 200) {
    response?.body.destroy();
    return refuse(400, 'Bad Request: failed to get HTTP URL content');
  }
  const mime = (response.headers['content-type'] ?? '').split(';')[0] ?? '';
  if (!mime.startsWith('video/')) {
    response.body.destroy();
    refuse(400, 'Bad Request: wrong type of the web page content');
  }
  const blob = `file/${randomUUID()}`;
  const facts = await options.blobs.put(blob, response.body);
  if (facts.bytes > MAX_BYTES_BY_URL) {
    await options.blobs.remove(blob);
    refuse(400, 'Bad Request: failed to get HTTP URL content');
  }
  return store(options, call, { part: 'video', blob, mime, name: 'video.mp4', ...facts });
}

/** Finds a file by an id that this bot received. @throws Refused if it is temporarily unavailable */
async function fileOf(options: SimulatorOptions, fileId: string, bot: Bot): Promise<StoredFile | null> {
  const file = await options.store.get<StoredFile>('file', fileId);
  if (file?.botId !== bot.id) return null;
  const { fileLifeMs } = await switchesOf(options);
  if (fileLifeMs !== undefined && options.now() - file.storedAt >= fileLifeMs)
    refuse(400, 'Bad Request: wrong file_id or the file is temporarily unavailable');
  return file;
}

/** `getFile`: returns where the bytes can be downloaded, for at least an hour. */
export async function getFile(options: SimulatorOptions, { bot, token, given }: Call): Promise<SimulatorResponse> {
  const file = await fileOf(options, given.text('file_id'), bot);
  if (!file) return refuse(400, 'Bad Request: wrong file_id or the file is temporarily unavailable');
  const { localServer } = await switchesOf(options);
  if (!localServer && file.bytes > MAX_BYTES_TO_GET) refuse(400, 'Bad Request: file is too big');
  const path = `videos/${file.fileId}.mp4`;
  return ok({
    file_id: file.fileId,
    file_unique_id: file.uniqueId,
    file_size: file.bytes,
    // A local server returns the path on its own disk (Client.cpp of tdlib/telegram-bot-api).
    file_path: localServer ? `/var/lib/telegram-bot-api/${token}/${path}` : path,
  });
}

export function fileRoutes(options: SimulatorOptions): Route[] {
  const handle: Route['handle'] = async (request) => {
    const { bot } = await botOf(options, request.params.bot ?? '');
    const { localServer, filesNotServed } = await switchesOf(options);
    if (localServer && filesNotServed) return NOT_FOUND;
    const fileId = /^videos\/(.+)\.mp4$/.exec(request.params['*'] ?? '')?.[1] ?? '';
    const file = await fileOf(options, fileId, bot);
    if (!file) return NOT_FOUND;
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(file.bytes) };
    return { status: 200, headers, body: await options.blobs.get(file.blob) };
  };
  return [{ method: 'GET', path: '/file/:bot/*', handle }];
}

/** @param cover cover of the video in a message */
export function fileJson(file: StoredFile, cover: Photo | null): JsonObject {
  const common = {
    file_id: file.fileId,
    file_unique_id: file.uniqueId,
    mime_type: file.mime,
    file_name: file.name,
    file_size: file.bytes,
  };
  if (file.kind === 'document') return { document: common };
  const { width, height, duration } = file;
  // An animation is repeated as a document, for clients that do not know animations.
  if (file.kind === 'animation') return { animation: { ...common, width, height, duration }, document: common };
  const qualities = (file.qualities ?? []).map((variant) => ({
    file_id: variant.fileId,
    file_unique_id: variant.uniqueId,
    width: variant.width,
    height: variant.height,
    codec: variant.codec,
    file_size: variant.bytes,
  }));
  return { video: { ...common, width, height, duration, cover: cover ? [photoJson(cover)] : [], qualities } };
}

/** Stores a file for a bot, with its smaller variants. File ids are valid for one bot. */
export async function storeFor(
  options: SimulatorOptions,
  botId: string,
  file: Omit<StoredFile, 'fileId' | 'botId'>,
): Promise<StoredFile> {
  const withId = <T extends Omit<StoredFile, 'fileId' | 'botId'>>(each: T) => ({ ...each, botId, fileId: newFileId() });
  const own: StoredFile = withId(file);
  const qualities = (file.qualities ?? []).map(withId);
  for (const variant of qualities) await options.store.put<StoredFile>('file', variant.fileId, variant);
  const stored = file.qualities ? { ...own, qualities } : own;
  await options.store.put<StoredFile>('file', own.fileId, stored);
  return stored;
}

function newFileId(): string {
  return `BAACAg${randomBytes(24).toString('base64url')}`;
}

const MAX_BYTES = 10_000_000;

/** Returns the photo of the parameter `cover`; null if absent. @throws Refused */
export async function coverOf(options: SimulatorOptions, { given, bot }: Call): Promise<Photo | null> {
  const named = given.text('cover');
  if (named === '') return null;
  const { store, blobs } = options;
  if (!named.startsWith('attach://')) {
    const known = await store.get<Photo>('photo', named);
    return known?.botId === bot.id ? known : refuse(400, WRONG_FILE);
  }
  const part = given.file(named.slice('attach://'.length));
  if (!part) return refuse(400, WRONG_FILE);
  const begins = await firstBytes(blobs, part.blob);
  if (
    part.bytes > MAX_BYTES ||
    !Object.values(PICTURES).some((each) => begins.startsWith(each)) ||
    (await switchesOf(options)).noCovers
  )
    return refuse(400, 'Bad Request: IMAGE_PROCESS_FAILED');
  await blobs.remove(part.blob);
  const fileId = `AgACAg${randomBytes(24).toString('base64url')}`;
  const photo: Photo = { fileId, botId: bot.id, bytes: part.bytes, sha256: part.sha256 };
  await store.put<Photo>('photo', fileId, photo);
  return photo;
}

function photoJson({ fileId, bytes }: Photo): JsonObject {
  return { file_id: fileId, file_unique_id: `AQAD${fileId.slice(-8)}`, file_size: bytes, width: 720, height: 1280 };
}
