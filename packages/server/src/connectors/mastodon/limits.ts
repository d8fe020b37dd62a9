/** What an instance takes: Mastodon's defaults, and what the instance says of itself. */
import type { Budget, Capabilities, Container, Json } from '../contract.ts';
import { at, numberAt } from '../kit/json.ts';

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
 * Defaults of Mastodon 4.x (`/api/v2/instance`, media attachment model); 99 MiB is the size limit. What a server cannot pass
 * on it converts by itself, and a video without sound it shows in a loop: neither is refused.
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

/** Uploads are the tightest documented limit: 30 in half an hour for an account. */
export const budgets: readonly Budget[] = [
  { name: 'uploads', scope: 'account', limit: 30, windowMs: 30 * 60_000, kind: 'rate' },
];

/**
 * Reads the limits from an instance's description, version 2 or 1; what it leaves out stays Mastodon's default.
 * Pleroma and its kin name two of them at the top (`max_toot_chars`, `upload_limit`).
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

/** A limit that can be one: a positive whole number. */
function limitAt(value: unknown, name: string): number | undefined {
  const found = numberAt(value, name);
  return found !== null && Number.isSafeInteger(found) && found > 0 ? found : undefined;
}
