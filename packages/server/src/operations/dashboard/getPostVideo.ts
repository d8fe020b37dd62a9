import { z } from 'zod';
import { ReelayError } from '../../errors/reelay-error.ts';
import { binary, idText } from '../../http/operation.ts';
import { readVideo } from '../../posts/read-video.ts';
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
    const video = await readVideo(context.db, caller.userId, params.id);
    if (!video.isStored) throw new ReelayError('video_gone');
    return streamVideo(context, request, video, 'video_gone');
  },
});
