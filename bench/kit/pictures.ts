import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database } from '../../packages/server/src/db/database.ts';
import { placesOf } from '../../packages/server/src/media/media-store.ts';
import type { Guest } from './guest.ts';
import { makePicture } from './video.ts';

/** Stores the thumbnails of the guest's newest posts, as if they had been posted. @param folder of the service */
export async function addPictures(db: Database, folder: string, { userId }: Guest, count: number): Promise<void> {
  const picture = join(folder, 'picture.jpg');
  await makePicture(picture);
  const posts = await db.query<{ mediaId: string }>(
    'select media_id as "mediaId" from post where user_id = $1 order by date desc limit $2',
    [userId, count],
  );
  for (const { mediaId } of posts) {
    const path = join(folder, 'data', 'files', placesOf(mediaId).picture);
    await mkdir(dirname(path), { recursive: true });
    await copyFile(picture, path);
  }
}
