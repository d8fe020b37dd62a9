import { z } from 'zod';
import { binary, idText } from '../../http/operation.ts';
import { assertUsable } from '../../uploads/posting.ts';
import { readUpload } from '../../uploads/read-upload.ts';
import { uploadKey } from '../../uploads/upload-store.ts';
import { operation } from '../operation.ts';
import { streamVideo } from './stream-video.ts';

export const getUploadVideo = operation({
  id: 'getUploadVideo',
  method: 'GET',
  path: '/dashboard/uploads/{id}/video',
  tag: 'Dashboard',
  summary: 'An uploaded video',
  description:
    'The video of a finished upload that no post has used. A response to `Range` has at most 4 MiB. Requires a session.',
  auth: 'session',
  writes: false,
  params: z.object({ id: idText }),
  response: binary,
  responseType: 'video/*',
  ranges: true,
  errors: ['unknown_upload', 'upload_incomplete', 'upload_used', 'range_not_satisfiable', 'storage_unavailable'],
  async handle(context, request) {
    const { caller, params } = request;
    const found = await readUpload(context.db, caller.userId, params.id);
    const { id, file, bytes } = found;
    const video = { key: uploadKey(id, file), bytes, sha256: assertUsable(found) };
    // Its file is removed when it expires, is deleted, or is used.
    return streamVideo(context, request, video, 'unknown_upload');
  },
});
