/** Files: uploaded, referenced by id, or fetched from a URL; and their download. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Route, SimulatorResponse } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { NOT_FOUND, ok, refuse } from './answers.ts';
import { botOf, type Call } from './caller.ts';
import type { SentFile } from './parameters.ts';
import { photoJson } from './photos.ts';
import { type Bot, MAX_BYTES_BY_URL, MAX_BYTES_TO_GET, type Photo, type StoredFile, type World } from './records.ts';

const WRONG = 'Bad Request: wrong file identifier/HTTP URL specified';

/** Returns the file of the parameter `video`. @throws Refused */
export async function videoOf(world: World, call: Call): Promise<StoredFile> {
  const { given, bot } = call;
  const named = given.text('video');
  const part = given.file('video') ?? (named.startsWith('attach://') ? given.file(named.slice(9)) : undefined);
  if (part) return store(world, call, part);
  if (named === '') refuse(400, 'Bad Request: there is no video in the request');
  if (named.startsWith('attach://')) refuse(400, WRONG);
  if (/^https?:/i.test(named)) return fetched(world, call, named);
  const file = await fileOf(world, named, bot);
  if (file?.kind !== 'video') return refuse(400, WRONG);
  return file;
}

async function store(world: World, { bot, given }: Call, part: SentFile): Promise<StoredFile> {
  const file: StoredFile = {
    fileId: `BAACAg${randomBytes(24).toString('base64url')}`,
    uniqueId: `AgAD${randomBytes(8).toString('base64url')}`,
    botId: bot.id,
    blob: part.blob,
    bytes: part.bytes,
    sha256: part.sha256,
    mime: part.mime,
    name: part.name,
    kind: part.mime === 'video/mp4' ? 'video' : 'document',
    width: given.number('width'),
    height: given.number('height'),
    duration: given.number('duration'),
    storedAt: world.options.now(),
  };
  await world.options.books.put<StoredFile>('file', file.fileId, file);
  return file;
}

/** Telegram fetches small files from a URL. */
async function fetched(world: World, call: Call, url: string): Promise<StoredFile> {
  const response = await world.options.fetch(url);
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
  const facts = await world.options.blobs.put(blob, response.body);
  if (facts.bytes > MAX_BYTES_BY_URL) {
    await world.options.blobs.remove(blob);
    refuse(400, 'Bad Request: failed to get HTTP URL content');
  }
  return store(world, call, { blob, mime, name: 'video.mp4', ...facts });
}

/** Finds a file by an id that this bot received. @throws Refused if it is temporarily unavailable */
async function fileOf(world: World, fileId: string, bot: Bot): Promise<StoredFile | null> {
  const file = await world.options.books.get<StoredFile>('file', fileId);
  if (file?.botId !== bot.id) return null;
  const { fileLifeMs } = await world.switches();
  if (fileLifeMs !== undefined && world.options.now() - file.storedAt >= fileLifeMs)
    refuse(400, 'Bad Request: wrong file_id or the file is temporarily unavailable');
  return file;
}

/** `getFile`: returns where the bytes can be downloaded, for at least an hour. */
export async function getFile(world: World, { bot, given }: Call): Promise<SimulatorResponse> {
  const file = await fileOf(world, given.text('file_id'), bot);
  if (!file) return refuse(400, 'Bad Request: wrong file_id or the file is temporarily unavailable');
  const { localServer } = await world.switches();
  if (!localServer && file.bytes > MAX_BYTES_TO_GET) refuse(400, 'Bad Request: file is too big');
  return ok({
    file_id: file.fileId,
    file_unique_id: file.uniqueId,
    file_size: file.bytes,
    file_path: `videos/${file.fileId}.mp4`,
  });
}

export function fileRoutes(world: World): Route[] {
  const handle: Route['handle'] = async (request) => {
    const { bot } = await botOf(world, request.params.bot ?? '');
    const fileId = /^videos\/(.+)\.mp4$/.exec(request.params['*'] ?? '')?.[1] ?? '';
    const file = await fileOf(world, fileId, bot);
    if (!file) return NOT_FOUND;
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(file.bytes) };
    return { status: 200, headers, body: await world.options.blobs.get(file.blob) };
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
  return { video: { ...common, width, height, duration, cover: cover ? [photoJson(cover)] : [], qualities: [] } };
}
