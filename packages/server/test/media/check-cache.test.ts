import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMedia, type UserMedia } from '../../src/media/media.ts';
import type { VideoFacts } from '../../src/media/types.ts';
import { provided } from '../harness/provided.ts';
import { makeVideo } from './fixtures.ts';

describe('a video with a known hash', () => {
  let folder = '';
  let media: UserMedia;
  let path = '';
  let sha256 = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelay-check-cache-'));
    path = await makeVideo();
    sha256 = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  });
  beforeEach(async () => {
    const tools = provided('tools');
    const [ffmpeg, ffprobe] = await Promise.all([noting('ffmpeg', tools.ffmpeg), noting('ffprobe', tools.ffprobe)]);
    media = createMedia({ ...tools, ffmpeg, ffprobe }).of('user');
    await writeFile(join(folder, 'started'), '');
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** A wrapper that records each start of the program. */
  async function noting(name: string, program: string): Promise<string> {
    const script = join(folder, name);
    await writeFile(script, `#!/bin/sh\necho ${name} >> '${join(folder, 'started')}'\nexec '${program}' "$@"\n`);
    await chmod(script, 0o700);
    return script;
  }
  /** Programs started since the previous call. */
  const started = async () => {
    const lines = await readFile(join(folder, 'started'), 'utf8');
    await writeFile(join(folder, 'started'), '');
    return lines.split('\n').filter(Boolean).sort();
  };
  const picture = () => readFile(join(folder, 'picture.jpg'));
  const take = async (
    atSeconds = 1,
    more: { accept?: (facts: VideoFacts) => void; signal?: AbortSignal; sha256?: string; outPath?: string } = {},
  ) => {
    const { outPath = join(folder, 'picture.jpg'), ...rest } = more;
    return media.checkWithThumbnail(path, { atSeconds, outPath }, { accept: () => {}, sha256, ...rest });
  };

  test('gets the same facts and thumbnail without a program', async () => {
    const [first, seen] = [await take(), await picture()];
    expect(await started()).toEqual(['ffmpeg', 'ffprobe']);
    await rm(join(folder, 'picture.jpg'));
    expect(await take()).toEqual(first);
    expect((await picture()).equals(seen)).toBe(true);
    expect(await media.check(path, { sha256 })).toEqual(first);
    expect(await started()).toEqual([]);
  });

  test('gets a thumbnail of another time and nothing else', async () => {
    await take(0);
    const early = await picture();
    await started();
    await take(3);
    expect(await started()).toEqual(['ffmpeg']);
    expect((await picture()).equals(early)).toBe(false);
  });

  test('is checked again without its hash or with another', async () => {
    await take();
    await started();
    await take(1, { sha256: undefined });
    await take(1, { sha256: '00'.repeat(32) });
    expect(await started()).toEqual(['ffmpeg', 'ffmpeg', 'ffprobe', 'ffprobe']);
  });

  test('is rejected the same way from the cache', async () => {
    await take();
    await rm(join(folder, 'picture.jpg'));
    await started();
    const accept = () => {
      throw new Error('not this one');
    };
    await expect(take(1, { accept })).rejects.toThrow('not this one');
    await expect(take(1, { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
    const outPath = join(folder, 'nowhere', 'picture.jpg');
    await expect(take(1, { outPath })).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(picture()).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await started()).toEqual([]);
  });

  test('that could not be read is tried again', async () => {
    const damaged = join(folder, 'damaged.mkv');
    await writeFile(damaged, (await readFile(await makeVideo({ extension: 'mkv' }))).fill(9, 300));
    const asked = { sha256: 'damaged' };
    await expect(media.check(damaged, asked)).rejects.toMatchObject({ code: 'video_unreadable' });
    await expect(media.check(damaged, asked)).rejects.toMatchObject({ code: 'video_unreadable' });
    expect(await started()).toEqual(['ffprobe', 'ffprobe']);
  });
});
