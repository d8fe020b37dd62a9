import { editFile, hdrVideo, makeVideo, runFfmpeg } from './fixtures.ts';
import { turnBy } from './hostile.ts';

const card = (size = '180x320', rate = 10, seconds = 3) => `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`;
const tone = (seconds = 3) => ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=44100:duration=${seconds}`];
const quick = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

/** Small videos of every kind that phones, recorders and editors make. */
export const KINDS = {
  plain: () => makeVideo({ seconds: 3 }),
  'turned by a quarter': async () => editFile(await makeVideo({ seconds: 3, width: 320, height: 180 }), turnBy(1)),
  'turned by a half': async () => editFile(await makeVideo({ seconds: 3 }), turnBy(2)),
  'turned by three quarters': async () => editFile(await makeVideo({ seconds: 3, width: 320, height: 180 }), turnBy(3)),
  'of pixels that are not square': () =>
    makeVideo({ seconds: 3, width: 240, height: 320, extra: ['-vf', 'setsar=3/4'] }),
  'in HDR': hdrVideo,
  'of an odd size': () =>
    runFfmpeg('webm', [
      '-f',
      'lavfi',
      '-i',
      card('181x321'),
      ...tone(),
      '-c:v',
      'libvpx',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
      '-c:a',
      'libopus',
    ]),
  'in VP9': () =>
    runFfmpeg('webm', [
      '-f',
      'lavfi',
      '-i',
      card(),
      ...tone(),
      '-c:v',
      'libvpx-vp9',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
      '-c:a',
      'libopus',
    ]),
  'in HEVC': () =>
    runFfmpeg('mov', [
      '-f',
      'lavfi',
      '-i',
      card(),
      ...tone(),
      '-c:v',
      'libx265',
      '-preset',
      'ultrafast',
      '-x265-params',
      'log-level=error',
      '-c:a',
      'aac',
    ]),
  'in AV1': () =>
    runFfmpeg('mkv', [
      '-f',
      'lavfi',
      '-i',
      card('180x320', 5),
      ...tone(),
      '-c:v',
      'libaom-av1',
      '-cpu-used',
      '8',
      '-usage',
      'realtime',
      '-c:a',
      'libopus',
    ]),
  'of an unsteady rate': () =>
    runFfmpeg('mp4', [
      '-f',
      'lavfi',
      '-i',
      card('180x320', 30),
      ...tone(),
      '-vf',
      "select='not(between(n,20,60))'",
      '-vsync',
      'vfr',
      ...quick,
      '-c:a',
      'aac',
    ]),
  'of 120 pictures a second': () =>
    runFfmpeg('mp4', ['-f', 'lavfi', '-i', card('180x320', 120), ...tone(), ...quick, '-c:a', 'aac']),
  'with 5.1 sound': () =>
    runFfmpeg('mp4', ['-f', 'lavfi', '-i', card(), ...tone(), '-ac', '6', ...quick, '-c:a', 'aac']),
  'with mono sound of 8 kHz': () =>
    runFfmpeg('mkv', [
      '-f',
      'lavfi',
      '-i',
      card(),
      ...tone(),
      '-ar',
      '8000',
      '-ac',
      '1',
      ...quick,
      '-c:a',
      'pcm_s16le',
    ]),
  'without sound': () => makeVideo({ seconds: 3, audio: false }),
  interlaced: () =>
    runFfmpeg('ts', [
      '-f',
      'lavfi',
      '-i',
      card('180x320', 50),
      ...tone(),
      '-vf',
      'tinterlace=4',
      '-flags',
      '+ildct+ilme',
      '-c:v',
      'mpeg2video',
      '-q:v',
      '3',
      '-c:a',
      'mp2',
    ]),
} satisfies Record<string, () => Promise<string>>;
