import { z } from 'zod';
import { ReelayError } from '../../errors/reelay-error.ts';
import { binary, idText } from '../../http/operation.ts';
import { findPreview } from '../../media/rendition/preview-store.ts';
import { readVideo } from '../../posts/read-video.ts';
import { operation } from '../operation.ts';
import { streamVideo } from './stream-video.ts';

export const getPostPreview = operation({
  id: 'getPostPreview',
  method: 'GET',
  path: '/dashboard/posts/{id}/preview',
  tag: 'Dashboard',
  summary: "The preview of a post's video",
  description: 'The preview of a post, once it is made. A response to `Range` has at most 4 MiB. Requires a session.',
  auth: 'session',
  writes: false,
  params: z.object({ id: idText }),
  response: binary,
  responseType: 'video/*',
  ranges: true,
  errors: ['unknown_post', 'unknown_preview', 'range_not_satisfiable', 'storage_unavailable'],
  async handle(context, request) {
    const { caller, params } = request;
    const video = await readVideo(context.db, caller.userId, params.id);
    const file = await findPreview(context.db, video);
    if (!file) throw new ReelayError('unknown_preview');
    return streamVideo(context, request, file, 'unknown_preview');
  },
});
