/** Limits of Snapchat Spotlight. */
import type { Capabilities } from '../contract.ts';

/**
 * Spotlight limits from articles and public clients: 9:16, at least 540 × 960. Some sources require six seconds. The
 * maximum of one gigabyte applies to the encrypted file.
 */
export const capabilities: Capabilities = {
  video: {
    maxBytes: 999_999_984,
    minSeconds: 5,
    maxSeconds: 60,
    containers: ['mp4'],
    videoCodecs: ['h264'],
    audioCodecs: ['aac'],
    minWidth: 540,
    minHeight: 960,
    minAspect: 9 / 16,
    maxAspect: 9 / 16,
  },
  caption: { maxLength: 160, unit: 'utf16' },
  watch: 'poll',
};
