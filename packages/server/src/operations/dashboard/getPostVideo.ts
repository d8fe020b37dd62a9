import { z } from 'zod';
import { ReelayError } from '../../errors/reelay-error.ts';
import { binary, idText } from '../../http/operation.ts';
import { isUuid } from '../../lib/ids.ts';
import { findVideo } from '../../posts/post-store.ts';
import { operation } from '../operation.ts';
import { streamVideo } from './stream-video.ts';

export const getPostVideo = operation({
  id: 'getPostVideo',
  method: 'GET',
  path: '/dashboard/posts/{id}/video',
  tag: 'Dashboard',
  summary: "A post's video",
  description:
    'The stored video of a post, as it was uploaded. A response to `Range` has at most 4 MiB. Requires a session.',
  auth: 'session',
  writes: false,
  params: z.object({ id: idText }),
  response: binary,
  responseType: 'video/*',
  ranges: true,
  errors: ['unknown_post', 'video_gone', 'range_not_satisfiable', 'storage_unavailable'],
  async handle(context, request) {
    const { caller, params } = request;
    const video = isUuid(params.id) ? await findVideo(context.db, caller.userId, params.id) : null;
    if (!video) throw new ReelayError('unknown_post');
    if (!video.isStored) throw new ReelayError('video_gone');
    return streamVideo(context, request, video, 'video_gone');
  },
});
