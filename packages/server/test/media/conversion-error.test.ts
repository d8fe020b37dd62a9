import { expect, test } from 'vitest';
import { conversionError } from '../../src/media/conversion-error.ts';
import type { VideoFacts } from '../../src/media/types.ts';

const facts = { videoCodec: 'h264', audioCodec: 'aac' } as VideoFacts;
const FILM = 'The video cannot be decoded to its end.';
const SOUND = 'The sound of the video cannot be decoded to its end.';
const OTHER = 'ffmpeg could not convert the video.';

test.each([
  ['[h264 @ 0x55d0] no frame!\nError while decoding stream #0:0: Invalid data found when processing input', FILM],
  ['[aac @ 0x55d0] channel element 3.15 is not allocated\n[aac @ 0x55d0] Reserved bit set.\n[h264 @ 0x5] x', SOUND],
  ['[vist#0:0/h264 @ 0x55d0] Error submitting packet to decoder: Invalid data found', FILM],
  ['[aist#0:1/aac @ 0x55d0] [dec:aac @ 0x5] Error submitting packet to decoder: Invalid data found', SOUND],
  [
    '[aac @ 0x1] a\n[aac @ 0x1] b\nError while decoding stream #0:1: c\n[h264 @ 0x2] d\nError while decoding stream #0:0: e',
    FILM,
  ],
  ['Decoder (codec none) not found for input stream #0:1', SOUND],
  ['[aist#0:1/none @ 0x55d0] Decoding requested, but no decoder found for: none', SOUND],
  ['[libx264 @ 0x55d0] broken ffmpeg default settings detected', OTHER],
  ['', OTHER],
])('ffmpeg’s messages are read: %j', (stderr, message) => {
  expect(conversionError(stderr, facts).message).toBe(message);
});

test('a decoder named after its codec counts', () => {
  const stderr = '[mp3float @ 0x55d0] Header missing';
  expect(conversionError(stderr, { ...facts, audioCodec: 'mp3' }).message).toBe(SOUND);
});
