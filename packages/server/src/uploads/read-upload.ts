import type { Queryable } from '../db/database.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import { isUuid } from '../lib/ids.ts';
import type { Upload } from './types.ts';
import { findUpload } from './upload-store.ts';

/** An upload of the user. @throws ReelayError `unknown_upload` */
export async function readUpload(db: Queryable, userId: string, uploadId: string): Promise<Upload> {
  const found = isUuid(uploadId) ? await findUpload(db, userId, uploadId) : null;
  if (!found) throw new ReelayError('unknown_upload');
  return found;
}
