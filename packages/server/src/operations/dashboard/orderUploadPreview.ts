import { z } from 'zod';
import { ReelayError } from '../../errors/reelay-error.ts';
import { idText } from '../../http/operation.ts';
import { orderPreview } from '../../media/rendition/preview-store.ts';
import { assertUsable } from '../../uploads/posting.ts';
import { readUpload } from '../../uploads/read-upload.ts';
import { operation } from '../operation.ts';
import { previewResponse } from './preview-schema.ts';

export const orderUploadPreview = operation({
  id: 'orderUploadPreview',
  method: 'POST',
  path: '/dashboard/uploads/{id}/preview',
  tag: 'Dashboard',
  summary: 'Make a preview of an uploaded video',
  description:
    'Makes a small version of the video of a finished upload that every browser plays, unless it exists. Send the request again to read its progress. The last 20 previews of a user are kept for a week. Requires a session.',
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  response: previewResponse,
  errors: ['unknown_upload', 'upload_incomplete', 'upload_used'],
  async handle({ db }, { caller, params }) {
    const found = await readUpload(db, caller.userId, params.id);
    assertUsable(found);
    const preview = await orderPreview(db, caller.userId, { uploadId: found.id });
    if (!preview) throw new ReelayError('unknown_upload');
    return { data: preview };
  },
});
