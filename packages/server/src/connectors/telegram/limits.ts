/** Limits of the Bot API ("Sending files", "sendVideo", and the FAQ on limits). */
import { z } from 'zod';
import { MINUTE } from '../../lib/time.ts';
import type { Budget, Capabilities } from '../contract.ts';

/**
 * Maximum file size in bytes. The documentation does not say whether "50 MB" means MB or MiB, and the form adds
 * overhead.
 */
const MAX_BYTES = 49_000_000;
const MAX_BYTES_LOCAL = 1_990_000_000;

/** @param given.local a self-hosted Bot API server, which accepts 2000 MB */
export function capabilitiesOf({ local }: { local: boolean }): Capabilities {
  return {
    video: {
      maxBytes: local ? MAX_BYTES_LOCAL : MAX_BYTES,
      // Any other format arrives as a file without playback ("sendVideo"). Duration and aspect ratio are not limited.
      containers: ['mp4'],
      videoCodecs: ['h264'],
      audioCodecs: ['aac'],
    },
    caption: { maxLength: 1024, unit: 'utf16' },
    watch: 'poll',
  };
}

/** Limit of 20 messages per minute per chat: documented for groups, reported for channels. */
export const budgets: readonly Budget[] = [
  { name: 'posts', scope: 'account', limit: 20, windowMs: MINUTE, kind: 'rate' },
];

export const options = z.strictObject({
  disableNotification: z.boolean().optional().meta({ description: 'Subscribers get no sound.' }),
  protectContent: z.boolean().optional().meta({ description: 'The post can be neither forwarded nor saved.' }),
  hasSpoiler: z.boolean().optional().meta({ description: 'The video is covered until it is tapped.' }),
  showCaptionAboveMedia: z.boolean().optional().meta({ description: 'The caption stands above the video.' }),
});
