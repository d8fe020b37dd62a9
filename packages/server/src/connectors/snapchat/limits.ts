import type { Capabilities } from '../contract.ts';

/**
 * Spotlight as write-ups and public clients have it: 9:16, at least 540 × 960; some say that six seconds are needed. A gigabyte
 * is the limit of the enciphered file.
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
