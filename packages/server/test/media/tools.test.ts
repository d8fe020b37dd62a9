import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTools, isRecentEnough } from '../../src/media/tools.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-tools-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function script(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
  return path;
}

/** A stand-in for the tool that is not the subject of a test: a start of ffmpeg takes 90 ms of CPU time. */
const recent = (name: 'ffmpeg' | 'ffprobe') => script(`recent-${name}`, `echo "${name} version 7.1 Copyright"`);

describe('the tools', () => {
  test('are located with absolute paths and all features', async () => {
    const tools = await findTools();
    expect(tools.ffmpeg).toMatch(/^\/.*ffmpeg$/);
    expect(tools.ffprobe).toMatch(/^\/.*ffprobe$/);
    expect(tools.version).toMatch(/\d/);
    expect(tools.missing).toEqual([]);
  });

  test('that are missing are reported with install commands', async () => {
    await expect(findTools({ ffmpegPath: '/nonexistent/ffmpeg' })).rejects.toThrow(
      /not found.*apt-get install ffmpeg/s,
    );
    await expect(findTools({ ffprobePath: 'reelay-no-such-program' })).rejects.toThrow(/FFPROBE_PATH/);
  });

  test('that are outdated, broken or wrong are rejected by name', async () => {
    const old = await script('old', 'echo "ffmpeg version 4.4.2-0ubuntu0 Copyright"');
    const broken = await script('broken', 'exit 1');
    const other = await script('other', 'echo "hello version 9"');
    const [ffmpegPath, ffprobePath] = [await recent('ffmpeg'), await recent('ffprobe')];
    await expect(findTools({ ffmpegPath: old, ffprobePath })).rejects.toThrow('ffmpeg 4.4.2-0ubuntu0 is too old');
    await expect(findTools({ ffmpegPath, ffprobePath: broken })).rejects.toThrow(`${broken} cannot be started`);
    await expect(findTools({ ffmpegPath, ffprobePath: other })).rejects.toThrow(`${other} is not ffprobe`);
  });

  test('report the missing features of a build', async () => {
    const poor = await script(
      'poor',
      'case "$1" in -version) echo "ffmpeg version 7.1 C";; *) echo " V....D mjpeg  M";; esac',
    );
    const tools = await findTools({ ffmpegPath: poor, ffprobePath: await recent('ffprobe') });
    expect(tools.missing).toEqual(['libx264', 'aac', 'zscale', 'tonemap', 'scale']);
  });

  test('are located with three program starts', async () => {
    const log = join(folder, 'starts');
    const counted = (name: string) => script(`counted-${name}`, `echo ${name} >> ${log}; exec ${name} "$@"`);
    const tools = await findTools({ ffmpegPath: await counted('ffmpeg'), ffprobePath: await counted('ffprobe') });
    expect(tools.version).toMatch(/^\S*\d/);
    expect((await readFile(log, 'utf8')).split('\n').filter(Boolean).sort()).toEqual(['ffmpeg', 'ffmpeg', 'ffprobe']);
  });

  test.each([
    ['5.1.9-0+deb12u1', true],
    ['5.1', true],
    ['n7.0.1', true],
    ['10.0', true],
    ['5.0.3', false],
    ['4.4.2', false],
    ['N-109468-gd39b34123d', true],
  ])('version %s is recent enough: %s', (version, expected) => {
    expect(isRecentEnough(version)).toBe(expected);
  });
});
