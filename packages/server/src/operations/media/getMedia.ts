import { z } from 'zod';
import { ReelayError } from '../../errors/reelay-error.ts';
import { binary, streamResponse } from '../../http/operation.ts';
import { ownsPicture } from '../../media/picture-store.ts';
import type { Storage } from '../../storage/contract.ts';
import { StorageMissing } from '../../storage/contract.ts';
import { pictureKey, pictureType } from '../../storage/pictures.ts';
import { operation } from '../operation.ts';

export const getMedia = operation({
  id: 'getMedia',
  method: 'GET',
  path: '/media/{filename}',
  tag: 'Media',
  summary: 'Thumbnail or profile picture',
  description: 'The picture referenced by `filename` of a history entry or by `usernameImage`. Only your own.',
  auth: 'caller',
  writes: false,
  params: z.object({ filename: z.string().meta({ examples: ['019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b.jpg'] }) }),
  response: binary,
  responseType: 'image/*',
  responseHeaders: { 'Cache-Control': 'private, immutable: a name never gets another picture.' },
  errors: ['unknown_media', 'storage_unavailable'],
  handle: async ({ db, storage }, { caller, params: { filename }, setHeader }) => {
    const type = pictureType(filename);
    if (!type || !(await ownsPicture(db, caller.userId, filename))) throw new ReelayError('unknown_media');
    const response = await open(storage, pictureKey(filename));
    setHeader('cache-control', 'private, max-age=31536000, immutable');
    setHeader('x-content-type-options', 'nosniff');
    return streamResponse({ ...response, type });
  },
});

async function open(storage: Storage, key: string) {
  try {
    const bytes = await storage.size(key);
    if (bytes === null) throw new StorageMissing(key);
    return { stream: await storage.read(key), bytes };
  } catch (error) {
    if (error instanceof StorageMissing) throw new ReelayError('unknown_media', undefined, { cause: error });
    throw new ReelayError('storage_unavailable', undefined, { cause: error });
  }
}
