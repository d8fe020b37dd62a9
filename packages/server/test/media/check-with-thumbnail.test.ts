import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Semaphore } from '../../src/lib/semaphore.ts';
import { createMediaChecker, type MediaChecker } from '../../src/media/check.ts';
import { checkWithThumbnail } from '../../src/media/check-with-thumbnail.ts';
import { createMedia } from '../../src/media/media.ts';
import type { VideoFacts } from '../../src/media/types.ts';
import { drawn, ONE_IN, sampled, seeded } from '../harness/draw.ts';
import { provided } from '../harness/provided.ts';
import { editFile, hdrVideo, makeVideo, noiseVideo } from './fixtures.ts';
import { turnQuarter } from './hostile.ts';

const media = createMedia(provided('tools')).of('user');
const accept = () => {};
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-check-with-thumbnail-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a video checked while its thumbnail is made', () => {
  const videos = {
    ordinary: () => makeVideo(),
    'a transport stream': () => makeVideo({ extension: 'ts' }),
    'turned by the phone': async () => editFile(await makeVideo({ width: 320, height: 180 }), turnQuarter),
    'of high dynamic range': () => hdrVideo(),
  };

  const alone = new Map<string, VideoFacts>();
  // For each video, a thumbnail that is used as made, and one past the end that is made again.
  const cases = Object.entries(videos).flatMap(([name, make]) =>
    [...sampled([0, 1.5, 2.99], 3, name), ...sampled([4, 1000], 2, name)].map((at) => ({ name, make, at })),
  );

  test.each(drawn(cases, ONE_IN.media, 'cases'))(
    seeded('has the same result as separately ($name, $at s)'),
    async ({ make, at }) => {
      const path = await make();
      const [together, apart] = [join(folder, 'together.jpg'), join(folder, 'apart.jpg')];
      const facts = await media.checkWithThumbnail(path, { atSeconds: at, outPath: together }, { accept });
      const known = alone.get(path) ?? (await media.check(path));
      alone.set(path, known);
      expect(facts).toEqual(known);
      await media.thumbnail(path, at, apart, facts);
      expect((await readFile(together)).equals(await readFile(apart))).toBe(true);
      await Promise.all([rm(together), rm(apart)]);
    },
  );

  const refused = async (path: string, at: number, options: Parameters<typeof media.checkWithThumbnail>[2]) => {
    const wanted = { atSeconds: at, outPath: join(folder, 'refused.jpg') };
    const why = await media.checkWithThumbnail(path, wanted, options).then(
      () => null,
      (error) => error,
    );
    expect(await readdir(folder)).toEqual([]);
    return why;
  };

  test('leaves no thumbnail when rejected', async () => {
    const landscape = await makeVideo({ width: 320, height: 180 });
    expect(await refused(landscape, 1, { accept })).toMatchObject({ code: 'video_not_vertical' });
    const short = await makeVideo({ seconds: 2 });
    expect(await refused(short, 1, { accept })).toMatchObject({ code: 'video_too_short' });
  });

  test('leaves no thumbnail when its facts are not accepted', async () => {
    const notThis = () => {
      throw new Error('not this one');
    };
    for (const at of [1, 1000])
      expect(await refused(await makeVideo(), at, { accept: notThis })).toMatchObject({ message: 'not this one' });
  });

  test('leaves no finished thumbnail when rejected later', async () => {
    const tools = provided('tools');
    const path = await makeVideo();
    const outPath = join(folder, 'early.jpg');
    const finished = Promise.withResolvers<void>();
    const slots: Semaphore = {
      async run(job) {
        const result = await job();
        finished.resolve();
        return result;
      },
    };
    const checker: MediaChecker = {
      inspect: createMediaChecker({ tools }).inspect,
      async check() {
        await finished.promise;
        expect(await readdir(folder)).toEqual(['early.jpg']);
        throw new Error('refused at last');
      },
    };
    const checking = checkWithThumbnail(path, { atSeconds: 0, outPath }, { checker, tools, slots, accept });
    await expect(checking).rejects.toThrow('refused at last');
    expect(await readdir(folder)).toEqual([]);
  });

  test('leaves no thumbnail when it cannot be decoded', async () => {
    const noise = await noiseVideo();
    expect(await refused(noise, 1, { accept })).toMatchObject({ code: 'video_unreadable' });
  });

  test('leaves no thumbnail when aborted', async () => {
    const stop = new AbortController();
    const path = await makeVideo();
    const refusing = refused(path, 1, { accept, signal: stop.signal });
    stop.abort(new Error('called off'));
    expect(await refusing).toMatchObject({ message: 'called off' });
  });
});
