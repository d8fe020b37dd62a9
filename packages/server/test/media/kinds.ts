import { editFile, hdrVideo, makeVideo, runFfmpeg } from './fixtures.ts';
import { mirror, turnBy } from './hostile.ts';

const card = (size = '180x320', rate = 10, seconds = 3) => `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`;
const tone = 'sine=frequency=440:sample_rate=44100:duration=3';
const quick = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

const webm = ['-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'];
const lavfi = (...sources: readonly string[]) => sources.flatMap((source) => ['-f', 'lavfi', '-i', source]);
const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error'];

/** Small videos of every kind that phones, recorders and editors produce. */
export const KINDS = {
  'turned by a quarter, with 5.1 sound': async () =>
    editFile(await makeVideo({ seconds: 3, width: 320, height: 180, extra: ['-ac', '6'] }), turnBy(1)),
  'turned by a half': async () => editFile(await makeVideo({ seconds: 3 }), turnBy(2)),
  'turned by three quarters, of pixels that are not square': async () =>
    editFile(await makeVideo({ seconds: 3, width: 240, height: 180, extra: ['-vf', 'setsar=4/3'] }), turnBy(3)),
  'in HDR': hdrVideo,
  'in HDR of broadcasters': () => hdrVideo(10, 'arib-std-b67'),
  'in VP9, of an odd size': () => runFfmpeg('webm', [...lavfi(card('181x321'), tone), '-c:v', 'libvpx-vp9', ...webm]),
  'in HEVC, without sound': () => runFfmpeg('mov', [...lavfi(card()), ...x265]),
  'in HEVC, turned by a quarter': async () =>
    editFile(await runFfmpeg('mov', [...lavfi(card('320x180')), ...x265, '-tag:v', 'hvc1']), turnBy(1)),
  'in HEVC, mirrored': async () =>
    editFile(await runFfmpeg('mov', [...lavfi(card()), ...x265, '-tag:v', 'hvc1']), mirror(180)),
  'in ProRes, with 24-bit sound of 96 kHz': () =>
    runFfmpeg('mov', [
      ...lavfi(card('180x320', 10), tone),
      ...['-c:v', 'prores_ks', '-profile:v', '1', '-c:a', 'pcm_s24le', '-ar', '96000', '-ac', '1'],
    ]),
  'in H.264 of 4:4:4': () => makeVideo({ seconds: 3, fps: 25, extra: ['-pix_fmt', 'yuv444p'] }),
  'in H.264 of 10 bits and 4:2:2': () => makeVideo({ seconds: 3, fps: 25, extra: ['-pix_fmt', 'yuv422p10le'] }),
  'in AV1': () =>
    runFfmpeg('mkv', [
      ...lavfi(card('180x320', 5), tone),
      '-c:v',
      'libaom-av1',
      '-cpu-used',
      '8',
      '-usage',
      'realtime',
      '-c:a',
      'aac',
    ]),
  'of an unsteady rate, with mono sound of 8 kHz': () =>
    runFfmpeg('mkv', [
      ...lavfi(card('180x320', 30), tone),
      ...['-vf', "select='not(between(n,20,60))'", '-vsync', 'vfr', '-ar', '8000', '-ac', '1'],
      ...[...quick, '-c:a', 'pcm_s16le'],
    ]),
  'of 120 pictures a second': () => runFfmpeg('mp4', [...lavfi(card('180x320', 120), tone), ...quick, '-c:a', 'aac']),
  'of halves of pictures, in a transport stream': () =>
    runFfmpeg('ts', [
      ...lavfi(card('180x320', 50), tone),
      ...['-vf', 'tinterlace=4', '-flags', '+ildct+ilme', '-c:v', 'mpeg2video', '-q:v', '3', '-c:a', 'mp2'],
    ]),
} satisfies Record<string, () => Promise<string>>;
