import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestService, TestUser } from '../harness/service.ts';
import { editFile, makeVideo, runFfmpeg } from '../media/fixtures.ts';
import { makeSpatial } from '../media/hostile.ts';
import { twoSounds } from '../media/odd-files.ts';
import { sendCheck } from './source-world.ts';
import { addReadyAccount, type SendOptions, startPostService } from './world.ts';

let service: TestService;
let user: TestUser;
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newUser();
});
afterAll(() => service.close());

const add = (platform: string) => addReadyAccount(service.db, user.userId, { platform });

async function verdicts(options: SendOptions) {
  const { status, body } = await sendCheck(user, options);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.result;
}
const verdict = async (options: SendOptions) => (await verdicts(options))[0];

describe('notes about a video', () => {
  const notesOf = (reasons: { effect: string; code: string }[]) =>
    reasons.filter(({ effect }) => effect === 'warning').map(({ code }) => code);
  const small = { seconds: 4, width: 360, height: 640, fps: 25 } as const;

  test.each([
    ['telegram', 'The video has no sound. Telegram may show it as a looping animation (GIF).'],
    ['mastodon', 'The video has no sound. Mastodon shows it as a looping animation (GIFV).'],
  ])('warn of missing sound on %s', async (platform, message) => {
    const { id } = await add(platform);
    const silent = await verdict({ to: [id], video: await makeVideo({ ...small, audio: false }) });
    const warning = { effect: 'warning', code: 'shown_differently', message };
    expect(silent).toMatchObject({ outcome: 'fits', reasons: [warning] });
    expect(await verdict({ to: [id], video: await makeVideo(small) })).toMatchObject({ reasons: [] });
  });

  test('concern the file that is sent', async () => {
    const [youtube, telegram] = [await add('youtube'), await add('telegram')];
    const lavfi = ['-f', 'lavfi', '-i', 'testsrc2=size=360x640:rate=25:duration=12', '-f', 'lavfi', '-i', 'sine=d=12'];
    const keys = ['-g', '9999', '-keyint_min', '9999', '-sc_threshold', '0', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
    const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hev1'];
    const params = ['-x265-params', 'log-level=error:keyint=9999:min-keyint=9999:scenecut=0'];
    const video = await runFfmpeg('mp4', [...lavfi, ...x265, ...params, ...keys]);
    const [first, second] = await verdicts({ to: [youtube.id, telegram.id], video });
    expect(first.outcome).toBe('fits');
    expect(notesOf(first.reasons)).toEqual(['key_frames', 'codec_tag']);
    expect(second.outcome).toBe('converted');
    expect(notesOf(second.reasons)).toEqual([]);
  });

  test('name the tracks that are used', async () => {
    const { id } = await add('youtube');
    const two = await twoSounds('silent');
    const { body } = await sendCheck(user, { to: [id], video: two });
    expect(body.reasons).toMatchObject([
      { effect: 'warning', code: 'sound_track', message: expect.stringContaining('audio track 2 of the file') },
    ]);
    expect(body.result[0]).toMatchObject({ outcome: 'converted', rendition: { video: 'copy', audio: 'copy' } });
    const spatial = await editFile(await makeVideo(), makeSpatial(0));
    expect(notesOf((await sendCheck(user, { to: [id], video: spatial })).body.reasons)).toEqual(['sound_unusable']);
  });
});
