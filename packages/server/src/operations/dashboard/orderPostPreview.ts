import { z } from 'zod';
import { ReelayError } from '../../errors/reelay-error.ts';
import { idText } from '../../http/operation.ts';
import { orderPreview } from '../../media/rendition/preview-store.ts';
import { readVideo } from '../../posts/read-video.ts';
import { operation } from '../operation.ts';
import { previewResponse } from './preview-schema.ts';

export const orderPostPreview = operation({
  id: 'orderPostPreview',
  method: 'POST',
  path: '/dashboard/posts/{id}/preview',
  tag: 'Dashboard',
  summary: "Make a preview of a post's video",
  description: 'As `orderUploadPreview`, for the stored video of a post. Requires a session.',
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  response: previewResponse,
  errors: ['unknown_post', 'video_gone'],
  async handle({ db }, { caller, params }) {
    const video = await readVideo(db, caller.userId, params.id);
    const preview = video.isStored ? await orderPreview(db, caller.userId, video) : null;
    if (!preview) throw new ReelayError('video_gone');
    return { data: preview };
  },
});
