import type { Capabilities } from '../contract.ts';

/**
 * Spotlight as write-ups and public clients have it; some say that six seconds are needed. The shape (upright, 960 pixels
 * high) is looked at before anything is made. A gigabyte is the limit of the enciphered file.
 */
export const capabilities: Capabilities = {
  video: {
    maxBytes: 999_999_984,
    minSeconds: 5,
    maxSeconds: 60,
    containers: ['mp4'],
    videoCodecs: ['h264'],
    audioCodecs: ['aac'],
    minSide: 540,
  },
  caption: { maxLength: 160, unit: 'utf16' },
  watch: 'poll',
};

/** Pixels. */
export const LEAST_HEIGHT = 960;
