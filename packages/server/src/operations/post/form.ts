/** The schema of a post's multipart form. */
import { z } from 'zod';
import type { ErrorCode } from '../../errors/reelay-error.ts';
import { binary } from '../../http/operation.ts';
import { FITS } from '../../media/types.ts';

/** Fields of the post form; a check takes the same. */
export const POST_FORM = {
  video: binary.optional().meta({
    description:
      'The video file, unless `uploadId` or `videoUrl` is sent. MP4, MOV, 3GP, Matroska, WebM, MPEG-TS, AVI or FLV; at most 524,288,000 bytes; 3 to 90 seconds; vertical 9:16.',
  }),
  platforms: z.string().meta({
    description:
      'A JSON array of 1 to 50 account ids, including duplicates, which are ignored. Alternatively, repeat the field with one id each.',
    examples: ['["019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b"]'],
  }),
  description: z
    .string()
    .optional()
    .meta({ description: 'At most 5,000 characters. The limits of each account apply as well.' }),
  previewTime: z
    .string()
    .optional()
    .meta({
      description: 'Position of the thumbnail in what is posted, in seconds. Default: 0.',
      examples: ['1.5'],
    }),
  scheduled: z
    .string()
    .optional()
    .meta({
      description: 'Unix time in milliseconds, at most 366 days ahead. If absent, the video is posted immediately.',
      examples: ['1785576600000'],
    }),
  options: z
    .string()
    .optional()
    .meta({
      description:
        'A JSON object with options by platform name or account id. Every platform supports `caption`, which replaces the description; see the documentation of each platform for others. Options of an account override options of its platform.',
      examples: ['{"youtube":{"title":"First light"},"telegram":{"caption":"Now on air"}}'],
    }),
  uploadId: z
    .string()
    .optional()
    .meta({
      description:
        'Instead of the file: the id of a finished upload (see `/uploads`). An upload can be used for one post.',
      examples: ['019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1d'],
    }),
  videoUrl: z
    .string()
    .optional()
    .meta({
      description:
        'Instead of the file: a public https URL from which the video is downloaded within 45 seconds. A slower download fails with `video_source_slow`; upload the file instead.',
      examples: ['https://cdn.example.com/first-light.mp4'],
    }),
  fit: z.enum(FITS).optional().meta({
    description:
      'Converts a video of another shape to 9:16: `pad` adds black bars, `blur` fills them with the blurred video, `crop` cuts off the edges.',
  }),
  cropPosition: z
    .string()
    .optional()
    .meta({
      description:
        'With `fit=crop`: which part of the picture stays, from 0 (the left or the top) to 1 (the right or the bottom). Default: 0.5, the middle.',
      examples: ['0.25'],
    }),
  trimStart: z
    .string()
    .optional()
    .meta({
      description:
        'Posts only a part of the video: its start, in seconds. The part may last 3 to 90 seconds, the video up to 10 minutes. Default: 0.',
      examples: ['5'],
    }),
  trimEnd: z
    .string()
    .optional()
    .meta({
      description: 'The end of the part, in seconds from the start of the video. Default: the end of the video.',
      examples: ['35.5'],
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
  'busy',
] as const satisfies readonly ErrorCode[];
