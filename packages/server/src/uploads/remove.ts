/** How uploads go: at once where somebody removes them, by themselves after a day, and files that no row knows. */
import type { Queryable } from '../db/database.ts';
import { fileRemoved } from '../posts/media-store.ts';
import { filesInUse, forgetExpired, forgetUpload } from './store.ts';
import type { UploadNeeds } from './types.ts';

type Needs = Pick<UploadNeeds, 'db' | 'uploadFiles'>;

/**
 * Removes an upload with its file; where the file cannot be removed now, the list of files has it.
 * @param which.fence as {@link forgetUpload} has it @returns whether there was such an upload
 */
export async function removeUpload(
  { db, uploadFiles }: Needs,
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

/** Uploads that nothing happened to for a day; their files follow. @returns how many */
export function sweepUploads(db: Queryable): Promise<number> {
  return forgetExpired(db);
}

/** Crashes leave files that no upload knows. So old ones belong to nobody who is still at work. */
const FORGOTTEN_MS = 24 * 3_600_000;

/** @returns how many files were removed */
export async function sweepUploadFiles({ db, uploadFiles }: Needs): Promise<number> {
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
