/** What a server accepts: limits, and the options of a post. */
import { z } from 'zod';
import { MINUTE } from '../../lib/time.ts';
import type { Budget, Capabilities, Container, Json, JsonObject, PostContent, Session } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

const CONTAINER_OF: Record<string, Container> = {
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/x-matroska': 'matroska',
  'video/3gpp': '3gp',
  'video/mp2t': 'mpegts',
  'video/x-msvideo': 'avi',
  'video/x-flv': 'flv',
};

/**
 * Defaults of Mastodon 4.x (`/api/v2/instance`, media attachment model). The size limit is 99 MiB. The server converts
 * formats that it cannot serve, and shows a video without sound as a loop; it rejects neither.
 */
export const defaultCapabilities: Capabilities = {
  video: {
    maxBytes: 103_809_024,
    containers: ['mp4', 'mov', 'webm'],
    maxFps: 120,
    maxFrames: 36_000,
    maxPixels: 8_294_400,
  },
  caption: { maxLength: 500, unit: 'graphemes', urlLength: 23, mentionDomainFree: true },
  watch: 'poll',
};

/** Uploads have the tightest documented limit: 30 per 30 minutes per account. */
export const budgets: readonly Budget[] = [
  { name: 'uploads', scope: 'account', limit: 30, windowMs: 30 * MINUTE, kind: 'rate' },
];

/**
 * Reads the limits from an instance description, version 2 or 1. Missing values keep Mastodon's defaults. Pleroma and
 * its forks have two of them at the top level (`max_toot_chars`, `upload_limit`).
 */
export function capabilitiesOf(instance: Json): Capabilities {
  const { video, caption } = defaultCapabilities;
  const media = at(instance, 'configuration', 'media_attachments');
  const types = at(media, 'supported_mime_types');
  const statuses = at(instance, 'configuration', 'statuses');
  return {
    ...defaultCapabilities,
    video: {
      ...video,
      maxBytes: limitAt(media, 'video_size_limit') ?? limitAt(instance, 'upload_limit') ?? video.maxBytes,
      containers: Array.isArray(types) ? containersOf(types) : video.containers,
      maxFps: limitAt(media, 'video_frame_rate_limit') ?? video.maxFps,
      maxPixels: limitAt(media, 'video_matrix_limit') ?? video.maxPixels,
    },
    caption: {
      ...caption,
      maxLength: limitAt(statuses, 'max_characters') ?? limitAt(instance, 'max_toot_chars') ?? caption.maxLength,
      urlLength: limitAt(statuses, 'characters_reserved_per_url') ?? caption.urlLength,
    },
  };
}

function containersOf(types: readonly unknown[]): Container[] {
  return Object.entries(CONTAINER_OF).flatMap(([type, container]) => (types.includes(type) ? [container] : []));
}

/** Returns a limit if it is a positive integer. */
function limitAt(value: unknown, name: string): number | undefined {
  const found = numberAt(value, name);
  return found !== null && Number.isSafeInteger(found) && found > 0 ? found : undefined;
}

export const options = z.strictObject({
  /** Overrides the user's default. */
  visibility: z.enum(['public', 'unlisted', 'private', 'direct']).optional(),
  /** Hides the video until the viewer chooses to show it. */
  sensitive: z.boolean().optional(),
  /** Content warning shown before the text. Counts toward the text limit. */
  spoilerText: z.string().min(1).max(5_000).optional(),
  /** ISO 639 code, optionally with a region (`pt-BR`). Defaults to the user's own setting. */
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/, 'must be the code of a language, such as "en"')
    .optional(),
});

/**
 * Returns the status parameters for the options. @throws ZodError for an object that {@link options} did not produce
 */
export function statusParameters(post: Pick<PostContent, 'options'>): JsonObject {
  const { sensitive, spoilerText, language } = options.parse(post.options);
  return {
    ...(sensitive === undefined ? {} : { sensitive }),
    ...(spoilerText === undefined ? {} : { spoiler_text: spoilerText }),
    ...(language === undefined ? {} : { language }),
  };
}

/** Returns the post's visibility option, else the user's default; "" if neither is known. */
export function visibilityOf(post: Pick<PostContent, 'options'>, session: Pick<Session, 'extra'>): string {
  return textAt(post.options, 'visibility') || textAt(session.extra, 'privacy');
}

/** The server counts both texts together. */
export const countedText = (text: string, asked: JsonObject): string => textAt(asked, 'spoilerText') + text;
