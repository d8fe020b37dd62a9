import { z } from 'zod';
import { id, idText } from '../../http/operation.ts';
import { copyVideo as copy } from '../../posts/copy-video.ts';
import { operation } from '../operation.ts';

export const copyVideo = operation({
  id: 'copyVideo',
  method: 'POST',
  path: '/dashboard/posts/{id}/upload',
  tag: 'Dashboard',
  summary: "Copy a post's video",
  description:
    'Copies the stored video of a post to a finished upload, which one new post can use as `uploadId` within 24 hours. Requires a session.',
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  response: z.object({
    data: z.object({ uploadId: id, bytes: z.int().meta({ description: 'Size of the video.' }) }),
  }),
  errors: ['unknown_post', 'video_gone', 'too_many_uploads', 'storage_full', 'storage_unavailable'],
  handle: async (context, { caller, params }) => ({ data: await copy(context, caller.userId, params.id) }),
});
