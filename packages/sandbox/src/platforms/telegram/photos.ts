/** Covers of videos: uploaded, or referenced by id. */

import { randomBytes } from 'node:crypto';
import type { SimulatorOptions } from '../../contract.ts';
import { firstBytes, PICTURES } from '../../http/pictures.ts';
import type { JsonObject } from '../../json.ts';
import { refuse, WRONG_FILE } from './answers.ts';
import type { Call } from './caller.ts';
import { type Photo, switchesOf } from './records.ts';

const MAX_BYTES = 10_000_000;

/** Returns the photo of the parameter `cover`; null if absent. @throws Refused */
export async function coverOf(options: SimulatorOptions, { given, bot }: Call): Promise<Photo | null> {
  const named = given.text('cover');
  if (named === '') return null;
  const { books, blobs } = options;
  if (!named.startsWith('attach://')) {
    const known = await books.get<Photo>('photo', named);
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
  await books.put<Photo>('photo', fileId, photo);
  return photo;
}

export function photoJson({ fileId, bytes }: Photo): JsonObject {
  return { file_id: fileId, file_unique_id: `AQAD${fileId.slice(-8)}`, file_size: bytes, width: 720, height: 1280 };
}
