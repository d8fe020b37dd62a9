import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  FITTED,
  fill,
  fitArgs,
  probeArgs,
  THUMBNAIL,
  type ThumbnailPlan,
  thumbnailArgs,
} from '../../src/media/commands.ts';
import { type RenderPlan, renderArgs } from '../../src/media/rendition/args.ts';
import { clampToPicture } from '../../src/media/thumbnail.ts';
import type { VideoFacts } from '../../src/media/types.ts';

const plan: ThumbnailPlan = {
  path: '/x/a b.mp4',
  container: 'mp4',
  atSeconds: 12.5,
  width: 1080,
  height: 1920,
  toneMap: false,
  exact: false,
  outPath: '/x/out.jpg',
};
const fitPlan = { ...plan, fit: 'pad', cropPosition: 0.5, part: null, fps: 25, threads: 2, hasAudio: true } as const;
const facts: VideoFacts = {
  ...{ bytes: 1, container: 'mp4', mime: 'video/mp4', durationMs: 30_000, lastFrameMs: 29_960, rotation: 0, fps: 25 },
  ...{ width: 1080, height: 1920, codedWidth: 1080, codedHeight: 1920, videoCodec: 'h264', pixelFormat: 'yuv420p' },
  ...{ audioCodec: 'aac', hdr: false, hasAudio: true },
};
const video = { width: 1080, height: 1920, fps: 30, maxRate: 16_000_000 };
const renderPlan: RenderPlan = {
  ...{ path: '/x/a b.mp4', outPath: '/x/out.mp4', threads: 2, canToneMap: true, facts },
  spec: { container: 'mp4', video, audio: 'aac' },
};
const argument = (args: string[], option: string) => args[args.indexOf(option) + 1];
const filterOf = (args: string[]) => argument(args, '-vf') ?? '';

describe('every command', () => {
  test.each([
    ['probe', probeArgs('/x/a b.mp4', 'mp4')],
    ['thumbnail', thumbnailArgs(plan)],
    ['fit', fitArgs(fitPlan)],
    ['rendition', renderArgs(renderPlan)],
    ['copy', renderArgs({ ...renderPlan, spec: { container: 'mp4', video: 'copy', audio: 'copy' } })],
  ])('%s opens only one local file of one format', (_, args) => {
    expect(argument(args, '-protocol_whitelist')).toBe('file');
    expect(argument(args, '-format_whitelist')).toBe('mov');
    expect(argument(args, '-max_pixels')).toBe(String(7680 * 4320));
    expect(argument(args, '-i')).toBe('file:/x/a b.mp4');
    expect(args.indexOf('-format_whitelist')).toBeLessThan(args.indexOf('-i'));
  });

  test.each([
    ['mov', 'mov'],
    ['3gp', 'mov'],
    ['webm', 'matroska'],
    ['mpegts', 'mpegts'],
    ['avi', 'avi'],
    ['flv', 'flv'],
  ] as const)('%s is opened as %s', (container, demuxer) => {
    expect(argument(probeArgs('/x', container), '-format_whitelist')).toBe(demuxer);
  });
});

describe('a thumbnail', () => {
  test('seeks before the input and skips cover art', () => {
    const args = thumbnailArgs(plan);
    expect(args.indexOf('-ss')).toBeLessThan(args.indexOf('-i'));
    expect(argument(args, '-ss')).toBe('12.500');
    expect(argument(args, '-map')).toBe('0:V:0');
    expect(filterOf(args)).toBe('scale=720:1280,scale=out_range=pc,format=yuvj420p,setsar=1');
    expect(args.at(-1)).toBe('file:/x/out.jpg');
  });

  test('at the start needs no seek', () => {
    expect(thumbnailArgs({ ...plan, atSeconds: 0 })).not.toContain('-ss');
  });

  test('of a transport stream seeks ten seconds early, then trims', () => {
    const far = thumbnailArgs({ ...plan, container: 'mpegts' });
    expect(argument(far, '-ss')).toBe('2.500');
    expect(filterOf(far)).toMatch(/^trim=start=10\.000,setpts=PTS-STARTPTS,/);
    const near = thumbnailArgs({ ...plan, container: 'mpegts', atSeconds: 4 });
    expect(near).not.toContain('-ss');
    expect(filterOf(near)).toMatch(/^trim=start=4\.000,/);
  });

  test('in exact mode decodes from the start', () => {
    const args = thumbnailArgs({ ...plan, exact: true });
    expect(args).not.toContain('-ss');
    expect(filterOf(args)).toMatch(/^trim=start=12\.500,/);
  });

  test('of HDR is tone-mapped for JPEG', () => {
    expect(filterOf(thumbnailArgs({ ...plan, toneMap: true }))).toContain('tonemap=');
  });
});

describe('a fitted video', () => {
  test('is bounded, with index first and optional sound', () => {
    const args = fitArgs(fitPlan);
    expect(argument(args, '-movflags')).toBe('+faststart');
    expect(argument(args, '-t')).toBe('91');
    expect(argument(args, '-fs')).toBe('524288000');
    expect(args).toContain('0:a:0');
    expect(fitArgs({ ...fitPlan, hasAudio: false })).toContain('-an');
    expect(argument(args, '-c:v')).toBe('libx264');
    expect(filterOf(args)).toBe('scale=1080:1920,format=yuv420p,setsar=1');
  });
});

describe('fill', () => {
  test.each([
    ['pad', 1920, 1080, ['scale=1080:608', 'pad=1080:1920:(ow-iw)/2:(oh-ih)/2:color=black']],
    ['crop', 1920, 1080, ['scale=3414:1920', 'crop=1080:1920:(iw-ow)*0.5000:(ih-oh)*0.5000']],
    ['pad', 500, 2000, ['scale=480:1920', 'pad=1080:1920:(ow-iw)/2:(oh-ih)/2:color=black']],
    ['crop', 500, 2000, ['scale=1080:4320', 'crop=1080:1920:(iw-ow)*0.5000:(ih-oh)*0.5000']],
    ['pad', 1090, 1920, ['scale=1080:1920']],
    ['crop', 1070, 1920, ['scale=1080:1920']],
  ] as const)('%s of %d × %d', (fit, width, height, filters) => {
    expect(fill({ width, height }, FITTED, fit)).toEqual(filters);
  });

  test('stays inside when padded, covers when cropped, always even', () => {
    const side = fc.integer({ min: 1, max: 8000 });
    fc.assert(
      fc.property(side, side, fc.constantFrom('pad' as const, 'crop' as const), (width, height, fit) => {
        const [w = 0, h = 0] =
          /^scale=(\d+):(\d+)$/
            .exec(fill({ width, height }, THUMBNAIL, fit)[0] ?? '')
            ?.slice(1)
            .map(Number) ?? [];
        expect([w % 2, h % 2]).toEqual([0, 0]);
        if (fit === 'pad') expect(w <= 720 && h <= 1280 && w > 0 && h > 0).toBe(true);
        else expect(w >= 720 && h >= 1280).toBe(true);
      }),
    );
  });
});

describe('the time of a thumbnail', () => {
  const facts = { lastFrameMs: 9900, fps: 10 };
  test.each([
    [0, 0],
    [5, 5],
    [9.8, 9.8],
    [9.9, 9.8],
    [10, 9.8],
    [1e9, 9.8],
    [-3, 0],
    [Number.NaN, 0],
  ])('%d becomes %d', (asked, used) => {
    expect(clampToPicture(asked, facts)).toBeCloseTo(used);
  });
  test('is the first frame of a very short video', () => {
    expect(clampToPicture(5, { lastFrameMs: 20, fps: 10 })).toBe(0);
    expect(clampToPicture(5, { lastFrameMs: 0, fps: 0 })).toBe(0);
  });
});

describe('a rendition', () => {
  const filters = (more: Partial<VideoFacts>, canToneMap = true) =>
    filterOf(renderArgs({ ...renderPlan, canToneMap, facts: { ...facts, ...more } }));

  test('drops frames before filtering and adds them after it', () => {
    expect(filters({ fps: 120 })).toMatch(/^fps=fps=30:start_time=0,scale=1080:1920/);
    expect(filters({ fps: 10 })).toMatch(/^scale=1080:1920,scale=out_range=tv,fps=fps=30/);
  });

  test('deinterlaces, and tone-maps HDR if possible', () => {
    expect(filters({ interlaced: true })).toMatch(/^bwdif/);
    expect(filters({ hdr: true })).toContain('tonemap');
    expect(filters({ hdr: true }, false)).not.toContain('tonemap');
  });

  test('extends the last frame to the end only', () => {
    expect(filters({})).toContain('tpad=stop_mode=clone:stop_duration=0.340');
    expect(filters({ lastFrameMs: 25_000 })).toContain('stop_duration=5.300');
  });

  test('is limited in length and in size', () => {
    const args = renderArgs({ ...renderPlan, spec: { ...renderPlan.spec, seconds: 29.95 } });
    expect(argument(args, '-t')).toBe('29.950');
    expect(Number(argument(args, '-fs'))).toBeLessThan(70_000_000);
    expect([argument(args, '-maxrate'), argument(args, '-bufsize')]).toEqual(['16000000', '16000000']);
  });
});
