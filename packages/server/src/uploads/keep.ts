/** Keeps uploads of drafts. */
import type { Queryable } from '../db/database.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import { isUuid } from '../lib/ids.ts';
import { assertUsable } from './posting.ts';
import type { Upload } from './types.ts';
import { extendForDraft } from './upload-store.ts';

/**
 * Keeps a finished upload for 30 days.
 * @throws ReelayError `unknown_upload`, `upload_incomplete`, `upload_used`
 */
export async function keepUpload(tx: Queryable, userId: string, uploadId: string): Promise<Upload> {
  const found = isUuid(uploadId) ? await extendForDraft(tx, userId, uploadId) : null;
  if (!found) throw new ReelayError('unknown_upload');
  assertUsable(found);
  return found;
}
