import { z } from 'zod';
import { ReelayError } from '../../errors/reelay-error.ts';
import { binary, idText } from '../../http/operation.ts';
import { findPreview } from '../../media/rendition/preview-store.ts';
import { readUpload } from '../../uploads/read-upload.ts';
import { operation } from '../operation.ts';
import { streamVideo } from './stream-video.ts';

export const getUploadPreview = operation({
  id: 'getUploadPreview',
  method: 'GET',
  path: '/dashboard/uploads/{id}/preview',
  tag: 'Dashboard',
  summary: 'The preview of an uploaded video',
  description:
    'The preview of an upload, once it is made. A response to `Range` has at most 4 MiB. Requires a session.',
  auth: 'session',
  writes: false,
  params: z.object({ id: idText }),
  response: binary,
  responseType: 'video/*',
  ranges: true,
  errors: ['unknown_upload', 'unknown_preview', 'range_not_satisfiable', 'storage_unavailable'],
  async handle(context, request) {
    const { caller, params } = request;
    const found = await readUpload(context.db, caller.userId, params.id);
    const file = await findPreview(context.db, { uploadId: found.id });
    if (!file) throw new ReelayError('unknown_preview');
    return streamVideo(context, request, file, 'unknown_preview');
  },
});
