/** The schema of a post's multipart form. */
import { z } from 'zod';
import type { ErrorCode } from '../../errors.ts';
import { binary } from '../../http/operation.ts';

/** Fields of the post form; a check takes the same. */
export const POST_FORM = {
  video: binary.optional().meta({
    description:
      'The file, unless `uploadId` or `videoUrl` says where it is. MP4, MOV, 3GP, Matroska, WebM, MPEG-TS, AVI or FLV; at most 524,288,000 bytes; 3 to 90 seconds; vertical 9:16.',
  }),
  platforms: z.string().meta({
    description:
      'The text of a JSON array of 1 to 50 ids of accounts, counted before repeated ones are folded. The field may be repeated instead, one id each.',
    examples: ['["019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b"]'],
  }),
  description: z.string().optional().meta({ description: 'At most 5,000 characters, and what each account allows.' }),
  previewTime: z
    .string()
    .optional()
    .meta({
      description: 'Seconds into the video at which the thumbnail is taken; 0 when absent.',
      examples: ['1.5'],
    }),
  scheduled: z
    .string()
    .optional()
    .meta({
      description: 'Unix time in milliseconds, at most 366 days ahead. Absent: posted at once.',
      examples: ['1785576600000'],
    }),
  options: z
    .string()
    .optional()
    .meta({
      description:
        'The text of a JSON object: by name of a platform, or by id of an account, what is asked there alone. `caption` (instead of the description) is known to all; what else a platform knows stands in its page of the documentation. An account’s own field goes before its platform’s.',
      examples: ['{"youtube":{"title":"First light"},"telegram":{"caption":"Now on air"}}'],
    }),
  uploadId: z
    .string()
    .optional()
    .meta({
      description: 'Instead of the file: a finished upload (see `/uploads`). It serves one post.',
      examples: ['019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1d'],
    }),
  videoUrl: z
    .string()
    .optional()
    .meta({
      description:
        'Instead of the file: a public https address that it is fetched from, within 45 seconds. A slower source is `video_source_slow`: upload the file then.',
      examples: ['https://cdn.example.com/first-light.mp4'],
    }),
  fit: z.enum(['pad', 'crop']).optional().meta({
    description: 'Makes a 9:16 video out of another shape: bars around it, or its edges cut off.',
  }),
};

/** A post has exactly one video. In JSON Schema terms. */
export const ONE_VIDEO = { oneOf: [{ required: ['video'] }, { required: ['uploadId'] }, { required: ['videoUrl'] }] };

/** Errors of the form, its video and the video's source. */
export const FORM_ERRORS = [
  'video_missing',
  'several_videos',
  'video_unreadable',
  'video_too_short',
  'video_too_long',
  'video_not_vertical',
  'video_too_large',
  'video_source_refused',
  'video_source_failed',
  'video_source_slow',
  'unknown_upload',
  'upload_incomplete',
  'upload_used',
  'preview_time_out_of_range',
  'scheduled_in_past',
  'scheduled_too_far',
  'unknown_platform',
  'storage_full',
  'storage_unavailable',
] as const satisfies readonly ErrorCode[];
