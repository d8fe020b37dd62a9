/** Removes uploads: on request, after a day without activity, and files without a row. */
import type { Queryable } from '../db/database.ts';
import { DAY } from '../lib/time.ts';
import { fileRemoved } from '../media/media-store.ts';
import type { UploadDeps } from './types.ts';
import { filesInUse, forgetExpired, forgetUpload } from './upload-store.ts';

type Deps = Pick<UploadDeps, 'db' | 'uploadFiles'>;

/**
 * Removes an upload that no post has used, with its file. If the file cannot be removed now, the removal queue keeps it.
 * @param which.fence as in {@link forgetUpload}
 * @returns whether there was such an upload
 */
export async function removeUpload(
  { db, uploadFiles }: Deps,
  which: { userId: string; id: string; fence?: number },
): Promise<boolean> {
  const key = await forgetUpload(db, which);
  if (key === null) return false;
  await uploadFiles.remove(key).then(
    () => fileRemoved(db, key),
    () => {},
  );
  return true;
}

/** Removes uploads without activity for a day and queues their files for removal. @returns number of uploads */
export function sweepUploads(db: Queryable): Promise<number> {
  return forgetExpired(db);
}

/** Crashes leave files without a row. At this age (ms) no request can still be writing them. */
const FORGOTTEN_MS = DAY;

/** Removes old files without a row. @returns number of files removed */
export async function sweepUploadFiles({ db, uploadFiles }: Deps): Promise<number> {
  const idOf = (name: string) => /^uploads\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.\d+$/.exec(name)?.[1];
  const old = (await uploadFiles.old(FORGOTTEN_MS)).filter((name) => idOf(name));
  const inUse = await filesInUse(
    db,
    old.map((name) => idOf(name) ?? ''),
  );
  const forgotten = old.filter((name) => !inUse.has(name));
  for (const name of forgotten) await uploadFiles.remove(name);
  return forgotten.length;
}
