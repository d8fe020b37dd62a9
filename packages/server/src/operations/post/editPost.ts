import { z } from 'zod';
import { apiError } from '../../errors/reelay-error.ts';
import { idText } from '../../http/operation.ts';
import { FITS } from '../../media/types.ts';
import { issue } from '../../messages/fields.ts';
import { adjustmentsOf } from '../../posts/adjustments.ts';
import { editPost as edit } from '../../posts/edit.ts';
import type { SentOptions } from '../../posts/options.ts';
import { operation } from '../operation.ts';
import { cropPosition, trimSeconds } from './adjustment-schema.ts';
import { MAX_PLATFORMS } from './fields.ts';
import { unlessGone } from './receive.ts';
import { detailed } from './schemas.ts';
import { showPost } from './show.ts';

const OF_UPLOAD = { description: 'With `uploadId`: as in creating a post.' };

const body = z
  .strictObject({
    description: z.string().optional().meta({ description: 'As in creating a post.' }),
    scheduled: z
      .int({ error: issue('not_milliseconds') })
      .nullable()
      .optional()
      .meta({ description: 'Unix time in milliseconds; null: now.' }),
    platforms: z.array(idText).min(1).max(MAX_PLATFORMS).optional().meta({
      description:
        'The accounts after the change, in this order. Those that are missing are removed; one that failed starts over.',
    }),
    options: z.record(z.string(), z.record(z.string(), z.unknown())).optional().meta({
      description: 'As in creating a post. Replaces the captions and the options of all accounts.',
    }),
    previewTime: z.number().nonnegative().optional().meta({
      description: 'Position of the thumbnail in the video, in seconds. Default with `uploadId`: 0.',
    }),
    uploadId: idText.optional().meta({ description: 'A finished upload (see `/uploads`) that replaces the video.' }),
    fit: z.enum(FITS).optional().meta(OF_UPLOAD),
    cropPosition: cropPosition.optional().meta(OF_UPLOAD),
    trimStart: trimSeconds.optional().meta(OF_UPLOAD),
    trimEnd: trimSeconds.optional().meta(OF_UPLOAD),
  })
  .meta({ id: 'EditPost' });

export const editPost = operation({
  id: 'editPost',
  method: 'PATCH',
  path: '/post/{id}',
  tag: 'Posts',
  summary: 'Edit a post',
  description:
    'Changes a post that has not started on any account: its texts, time, accounts, options, cover and video. Fields that are absent do not change. If one change is refused, none is made. A repost keeps the video and the accounts of its rule.',
  auth: 'caller',
  writes: true,
  params: z.object({ id: idText }),
  body,
  response: z.object({ data: detailed }),
  errors: [
    'unknown_post',
    'not_editable',
    'unknown_platform',
    'platform_not_connected',
    'setup_needed',
    'caption_too_long',
    'scheduled_in_past',
    'scheduled_too_far',
    'plan_limit_reached',
    'unknown_upload',
    'upload_incomplete',
    'upload_used',
    'video_unreadable',
    'video_too_short',
    'video_too_long',
    'video_not_vertical',
    'video_too_large',
    'video_gone',
    'preview_time_out_of_range',
    'storage_full',
    'storage_unavailable',
  ],
  handle: async (context, { caller, params, body, signal }) => {
    const { options, fit, cropPosition: position, trimStart, trimEnd, ...rest } = body;
    const adjusted = { fit, cropPosition: position, trimStart, trimEnd };
    const [name] = Object.entries(adjusted).find(([, value]) => value !== undefined) ?? [];
    if (name !== undefined && body.uploadId === undefined) throw apiError('adjusted_without_upload', { name });
    // The connectors validate the options of their platforms.
    const wanted = { ...rest, options: options as SentOptions | undefined, adjustments: adjustmentsOf(adjusted) };
    try {
      await edit(context, { credential: caller, postId: params.id, edit: wanted, signal });
    } catch (error) {
      throw unlessGone(signal, error);
    }
    return { data: await showPost(context, caller.userId, params.id) };
  },
});
