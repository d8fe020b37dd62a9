import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaChecker } from '../../src/media/check.ts';
import { PROBE_LIMITS, probe } from '../../src/media/probe.ts';
import type { VideoFacts } from '../../src/media/types.ts';
import { drawn, FULL, ONE_IN, seeded } from '../harness/draw.ts';
import { provided } from '../harness/provided.ts';
import { editFile, hdrVideo, makeVideo, runFfmpeg, vertical } from './fixtures.ts';
import * as hostile from './hostile.ts';

const run = promisify(execFile);
const tools = provided('tools');
const { check } = createMediaChecker({ tools });
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-check-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes a file with this content and the name of a video. */
async function named(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}
const refusal = (code: string, sentence: string | RegExp = '') => ({
  code,
  message: expect.stringMatching(sentence),
});

describe('accepts a video', () => {
  const containers = [
    ['mp4', 'mp4', 'video/mp4', 'h264'],
    ['mov', 'mov', 'video/quicktime', 'h264'],
    ['3gp', '3gp', 'video/3gpp', 'h264'],
    ['mkv', 'matroska', 'video/x-matroska', 'h264'],
    ['webm', 'webm', 'video/webm', 'vp8'],
    ['ts', 'mpegts', 'video/mp2t', 'h264'],
    ['avi', 'avi', 'video/x-msvideo', 'mpeg4'],
    ['flv', 'flv', 'video/x-flv', 'flv1'],
  ] as const;
  test.each(drawn(containers, ONE_IN.media, 'containers'))(
    seeded('as %s'),
    async (extension, container, mime, videoCodec) => {
      const path = await makeVideo({ extension });
      const facts = await check(path);
      expect(facts).toMatchObject({ container, mime, videoCodec, width: 180, height: 320, hasAudio: true, fps: 10 });
      expect(facts.bytes).toBe((await readFile(path)).length);
      expect(Math.abs(facts.durationMs - 4000)).toBeLessThanOrEqual(50);
      expect(facts.lastFrameMs).toBeLessThan(facts.durationMs);
    },
  );

  test('and reports all its facts', async () => {
    const facts: VideoFacts = await check(await makeVideo());
    expect(facts).toMatchObject({ durationMs: 4000, codedWidth: 180, codedHeight: 320, rotation: 0, hdr: false });
    expect(facts).toMatchObject({ audioCodec: 'aac', pixelFormat: 'yuv420p', lastFrameMs: 3900 });
  });

  test.each([3, 90])('of exactly %d seconds', async (seconds) => {
    expect((await check(await vertical(seconds, { picture: 'plain', fps: 5 }))).durationMs).toBe(seconds * 1000);
  });

  test('without audio', async () => {
    expect(await check(await makeVideo({ audio: false }))).toMatchObject({ hasAudio: false, audioCodec: null });
  });

  test('recorded by a phone with quarter rotation', async () => {
    const turned = await editFile(await makeVideo({ width: 320, height: 180 }), hostile.turnQuarter);
    const facts = await check(turned);
    expect(facts).toMatchObject({ width: 180, height: 320, codedWidth: 320, codedHeight: 180, rotation: 90 });
  });

  test('with non-square pixels', async () => {
    const squeezed = await makeVideo({ width: 240, height: 320, extra: ['-vf', 'setsar=3/4'] });
    expect(await check(squeezed)).toMatchObject({ width: 180, height: 320, codedWidth: 240 });
  });

  test('recorded by a browser, without header duration', async () => {
    const live = await makeVideo({ extension: 'webm', extra: ['-live', '1'] });
    const { stdout } = await run(tools.ffprobe, ['-v', 'error', '-show_entries', 'format=duration', live]);
    expect(stdout).toContain('duration=N/A');
    expect((await check(live)).durationMs).toBeGreaterThan(3900);
  });

  test('in fragments', async () => {
    const extra = ['-movflags', 'frag_keyframe+empty_moov', '-g', '10'];
    expect(Math.abs((await check(await makeVideo({ extra }))).durationMs - 4000)).toBeLessThanOrEqual(50);
  });

  test('shortened by an edit list', async () => {
    const long = await makeVideo({ seconds: 8, audio: false, extra: ['-g', '999'] });
    const cut = await runFfmpeg('mp4', ['-ss', '2.5', '-i', long, '-t', '4', '-c', 'copy']);
    expect(Math.abs((await check(cut)).durationMs - 4000)).toBeLessThanOrEqual(150);
  });

  test('with cover art beside the video', async () => {
    const cover = await runFfmpeg('jpg', ['-f', 'lavfi', '-i', 'color=red:size=64x64', '-frames:v', '1']);
    const args = ['-i', cover, '-i', await makeVideo(), '-map', '0', '-map', '1', '-c', 'copy'];
    const both = await runFfmpeg('mp4', [...args, '-disposition:v:0', 'attached_pic']);
    expect(await check(both)).toMatchObject({ width: 180, height: 320, videoCodec: 'h264' });
  });

  test('in HDR, and detects it', async () => {
    expect(await check(await hdrVideo())).toMatchObject({ hdr: true, pixelFormat: 'yuv420p10le', videoCodec: 'hevc' });
  });

  test('of another shape that will be fitted', async () => {
    const wide = await makeVideo({ width: 320, height: 180 });
    expect(await check(wide, { fit: 'pad' })).toMatchObject({ width: 320, height: 180 });
    await expect(check(await vertical(2.9, { width: 320 }), { fit: 'crop' })).rejects.toMatchObject({
      code: 'video_too_short',
    });
  });
});

describe('rejects a video outside the limits with its value', () => {
  test('91 seconds', async () => {
    const long = await vertical(91, { picture: 'plain', fps: 5, audio: false });
    await expect(check(long)).rejects.toMatchObject(refusal('video_too_long', /is 91 seconds long/));
  });

  test('2.9 seconds', async () => {
    await expect(check(await vertical(2.9))).rejects.toMatchObject(refusal('video_too_short', /2\.9 seconds/));
  });

  test('landscape', async () => {
    const wide = await makeVideo({ width: 320, height: 180 });
    await expect(check(wide)).rejects.toMatchObject(refusal('video_not_vertical', /320 × 180/));
  });

  test('stored upright but rotated to landscape', async () => {
    const turned = await editFile(await makeVideo(), hostile.turnQuarter);
    await expect(check(turned)).rejects.toMatchObject(refusal('video_not_vertical', /320 × 180/));
  });

  test('91 seconds whose headers claim 30', async () => {
    const long = await vertical(91, { picture: 'plain', fps: 5, audio: false });
    const movie = await editFile(long, (bytes) => {
      const at = hostile.findBox(bytes, 'mvhd');
      bytes.writeUInt32BE(30 * bytes.readUInt32BE(at + 20), at + 24);
      return bytes;
    });
    const all = await editFile(long, (b) => hostile.dropEditLists(hostile.lieAboutDuration(b, 30)));
    for (const path of [movie, all]) {
      await expect(check(path)).rejects.toMatchObject(refusal('video_too_long', /91 seconds/));
    }
  });
});

describe('rejects unreadable files', () => {
  test('an empty file', async () => {
    await expect(check(await named('empty.mp4', ''))).rejects.toMatchObject(refusal('video_unreadable', /empty/));
  });

  test.each([
    ['text', 'hello, I am a film'],
    ['a web page', '<!doctype html><title>film</title>'],
    ['a picture', Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')],
    ['a program', Buffer.from('7f454c460201010000000000000000000200', 'hex')],
    ['a ZIP archive', Buffer.from('504b0304140000000800', 'hex')],
  ])('%s named like a video', async (_, content) => {
    await expect(check(await named('film.mp4', content))).rejects.toMatchObject(
      refusal('video_unreadable', /Unknown file format/),
    );
  });

  test('text that starts like a video', async () => {
    const path = await named(
      'begin.mp4',
      Buffer.concat([hostile.box('ftyp', Buffer.from('isom')), hostile.box('moov')]),
    );
    await expect(check(path)).rejects.toMatchObject(refusal('video_unreadable'));
  });

  test.each(drawn(['mp4', 'mov', 'mkv', 'webm', 'avi'] as const, ONE_IN.media))(
    seeded('half a file (%s)'),
    async (extension) => {
      const half = await editFile(await makeVideo({ extension }), (bytes) => bytes.subarray(0, bytes.length >> 1));
      await expect(check(half)).rejects.toMatchObject(refusal('video_unreadable', /truncated/));
    },
  );

  test('half a file padded with zeros', async () => {
    const last = await makeVideo({ extension: 'mov' });
    const zeros = await editFile(last, (bytes) => bytes.fill(0, bytes.length >> 1));
    await expect(check(zeros)).rejects.toMatchObject(refusal('video_unreadable'));
  });

  test('half a browser recording', async () => {
    const live = await makeVideo({ seconds: 8, extension: 'webm', extra: ['-live', '1'] });
    const half = await editFile(live, (bytes) => bytes.subarray(0, bytes.length >> 1));
    await expect(check(half)).rejects.toMatchObject(refusal('video_unreadable', /truncated/));
  });

  test('four seconds that claim to be thirty', async () => {
    const lie = await editFile(await makeVideo(), (bytes) => hostile.lieAboutDuration(bytes, 30));
    await expect(check(lie)).rejects.toMatchObject(refusal('video_unreadable', /header of the file says 30 seconds/));
  });

  test('audio only', async () => {
    const sound = await runFfmpeg('mp4', ['-f', 'lavfi', '-i', 'sine=duration=5', '-c:a', 'aac']);
    await expect(check(sound)).rejects.toMatchObject(refusal('video_unreadable', /no video track/));
  });

  test('audio with cover art only', async () => {
    const cover = await runFfmpeg('jpg', ['-f', 'lavfi', '-i', 'color=red:size=90x160', '-frames:v', '1']);
    const inputs = ['-i', cover, '-f', 'lavfi', '-i', 'sine=duration=5', '-map', '0', '-map', '1'];
    const song = await runFfmpeg('mp4', [...inputs, '-c:v', 'copy', '-c:a', 'aac', '-disposition:v:0', 'attached_pic']);
    await expect(check(song)).rejects.toMatchObject(refusal('video_unreadable', /no video track/));
  });

  test('a missing file is a storage error', async () => {
    await expect(check(join(folder, 'nowhere.mp4'))).rejects.toMatchObject(refusal('storage_unavailable'));
  });
});

describe('a playlist named like a video reads no other file', () => {
  test.each([
    ['HLS', (secret: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nfile://${secret}\n#EXT-X-ENDLIST\n`],
    ['concat', (secret: string) => `ffconcat version 1.0\nfile '${secret}'\n`],
  ])('%s', async (_, playlist) => {
    const secret = await makeVideo({ extension: 'ts' });
    const path = await named('list.mp4', playlist(secret));
    // Without the guard, ffprobe follows it when unsafe names are allowed.
    const { stdout } = await run(tools.ffprobe, ['-v', 'error', '-show_entries', 'format=format_name', path]).catch(
      () =>
        run(tools.ffprobe, ['-v', 'error', '-f', 'concat', '-safe', '0', '-show_entries', 'format=format_name', path]),
    );
    expect(stdout).toMatch(/format_name=(hls|concat)/);
    await expect(check(path)).rejects.toMatchObject(refusal('video_unreadable', /Unknown file format/));
    for (const container of ['mp4', 'mpegts', 'matroska'] as const) {
      expect(await probe(path, container, { tools })).toMatchObject({ message: expect.stringContaining('damaged') });
    }
  });
});

describe('hostile files are checked in bounded time and memory', () => {
  test('a sample table of 57 million samples', async () => {
    const bomb = hostile.bloatSampleTable(await readFile(await makeVideo({ extension: 'mov' })), 1_900_000);
    // Depends on the demuxer how many of its forty frames count. The probe must end and report no more than exists.
    const verdict = await check(await named('stts.mov', bomb)).catch((error) => error.code);
    expect(verdict).toSatisfy((v) => v === 'video_unreadable' || v === 'video_too_short' || v.durationMs <= 4050);
  });

  test('a sample table over 16 MiB', async () => {
    const bomb = hostile.bloatSampleTable(await readFile(await makeVideo({ extension: 'mov' })), 2_200_000);
    await expect(check(await named('large.mov', bomb))).rejects.toMatchObject(refusal('video_unreadable', /16 MiB/));
  });

  test('58 million one-byte samples without a table', async () => {
    const bomb = await editFile(await makeVideo(), (bytes) => {
      const at = hostile.findBox(bytes, 'stsz');
      bytes.writeUInt32BE(1, at + 12);
      bytes.writeUInt32BE(58_000_000, at + 16);
      return bytes;
    });
    await expect(check(bomb)).rejects.toMatchObject(refusal('video_unreadable'));
  });

  test('a hundred thousand empty boxes', async () => {
    const boxes = Buffer.concat(Array.from({ length: 100_000 }, () => hostile.box('free')));
    const bomb = await named('boxes.mp4', Buffer.concat([await readFile(await makeVideo()), boxes]));
    await expect(check(bomb)).rejects.toMatchObject(refusal('video_unreadable', /20,000 boxes/));
  });

  test('a frame of 65535 × 65535', async () => {
    const raw = await makeVideo({ extension: 'avi', fps: 2, audio: false, extra: ['-c:v', 'rawvideo'] });
    const huge = await editFile(raw, (bytes) => {
      const at = bytes.indexOf('strf') + 8;
      bytes.writeInt32LE(65_535, at + 4);
      bytes.writeInt32LE(65_535, at + 8);
      return bytes;
    });
    await expect(check(huge)).rejects.toMatchObject(refusal('video_unreadable'));
  });

  test('too many packets', async () => {
    // A generous timeout for a busy machine: this test is about the packet limit.
    const limits = { ...PROBE_LIMITS, wallMs: 240_000, cpuSeconds: 240 };
    const [packets, perMs, mostPackets] = FULL ? [510_000, 2, undefined] : [5_100, 0.02, 5_000];
    const dense = await named('dense.flv', hostile.denseFlv(packets, perMs));
    const patient = createMediaChecker({ tools, limits, mostPackets });
    await expect(patient.check(dense)).rejects.toMatchObject(refusal('video_too_long', /longer than 90 seconds/));
  }, 300_000);

  test('a probe over its limits', async () => {
    const path = await makeVideo();
    for (const strict of [{ outputBytes: 100 }, { wallMs: 1 }]) {
      const limits = { ...PROBE_LIMITS, ...strict };
      const poor = createMediaChecker({ tools, limits });
      await expect(poor.check(path)).rejects.toMatchObject({ code: 'video_unreadable' });
    }
  });
});

test('an aborted check rejects with the signal’s reason', async () => {
  const stop = new AbortController();
  const checking = check(await makeVideo(), { signal: stop.signal });
  stop.abort(new Error('called off'));
  await expect(checking).rejects.toThrow('called off');
});
