/** Conversions by an ffmpeg that loses the picture, and videos that show little. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMedia, type UserMedia } from '../../src/media/media.ts';
import { NO_ADJUSTMENTS } from '../../src/media/types.ts';
import { provided } from '../harness/provided.ts';
import { runFfmpeg } from './fixtures.ts';
import { card, ENCODED, H264, lavfi, openWorkshop, tone } from './odd-files.ts';

const LOST = { code: 'video_unreadable', message: 'The converted video shows nothing, but the original does.' };

let workshop: Awaited<ReturnType<typeof openWorkshop>>;
/** Converts every frame to gray. */
let faulty: UserMedia;
beforeAll(async () => {
  workshop = await openWorkshop();
  const tools = provided('tools');
  const ffmpeg = workshop.path('sh');
  await writeFile(ffmpeg, grayEncoder(tools.ffmpeg), { mode: 0o755 });
  faulty = createMedia({ ...tools, ffmpeg }).of('user');
});
afterAll(() => workshop.close());

/** A script that runs ffmpeg, and appends a filter if it encodes. */
const grayEncoder = (ffmpeg: string) => `#!/bin/sh
case "$*" in *libx264*) ;; *) exec "${ffmpeg}" "$@" ;; esac
left=$# last=
while [ "$left" -gt 0 ]; do
  arg=$1
  shift
  [ "$last" = -vf ] && arg="$arg,lutyuv=y=128:u=128:v=128"
  set -- "$@" "$arg"
  last=$arg left=$((left - 1))
done
exec "${ffmpeg}" "$@"
`;

const film = (picture: string, ...more: string[]) =>
  runFfmpeg('mp4', [...lavfi(picture, tone(6)), ...more, ...H264, '-c:a', 'aac', '-shortest']);
const plain = 'color=gray:s=180x320:r=10:d=6';

describe('a conversion that loses the picture', () => {
  test('is refused', async () => {
    const path = await film(card(6));
    const facts = await workshop.check(path);
    await expect(faulty.render(path, facts, ENCODED, workshop.path('mp4'))).rejects.toMatchObject(LOST);
  });

  test.each([
    ['with bars', 'pad', 'testsrc2=size=320x180:rate=10:duration=3'],
    ['without its edges', 'crop', 'testsrc2=size=120x360:rate=10:duration=3'],
  ] as const)('is refused %s', async (_, fit, picture) => {
    const path = await film(picture);
    const facts = await workshop.check(path);
    await expect(faulty.fit(path, { ...NO_ADJUSTMENTS, fit }, workshop.path('mp4'), facts)).rejects.toMatchObject(LOST);
  });

  test('is kept if the original is a plain color', async () => {
    const path = await film(plain);
    const facts = await workshop.check(path);
    const made = await faulty.render(path, facts, ENCODED, workshop.path('mp4'));
    expect(made.durationMs).toBeGreaterThan(5_500);
  });
});

describe('a correct conversion of a video that shows little', () => {
  const black = 'eq=brightness=-1:enable';
  test.each([
    ['a plain color', plain, []],
    ['something at its start only', card(6), ['-vf', `${black}='gt(t,0.4)'`]],
    ['something between two dark parts', card(6), ['-vf', `${black}='lt(t,2)+gt(t,2.6)'`, '-g', '250']],
    ['something at its end only', card(6), ['-vf', `${black}='lt(t,5.5)'`]],
    ['something at its edge only', card(6), ['-vf', 'drawbox=0:60:180:260:gray:fill']],
  ] as const)('keeps %s', async (_, picture, filter) => {
    const path = await film(picture, ...filter);
    const { made } = await workshop.render(path, ENCODED);
    expect(made.durationMs).toBeGreaterThan(5_500);
  });
});
