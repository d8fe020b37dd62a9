import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '../../src/lib/ids.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { makeVideo } from '../media/fixtures.ts';
import { addReadyAccount, remainsOf, type SendOptions, sendPost, startPostService } from './world.ts';

let service: TestService;
let user: TestUser;
let account: { id: string };
let foreign: { id: string };
let before: Awaited<ReturnType<typeof remainsOf>>;
beforeAll(async () => {
  service = await startPostService();
  user = await service.newUser();
  account = await addReadyAccount(service.db, user.userId, { username: 'nora' });
  foreign = await addReadyAccount(service.db, (await service.newUser()).userId);
  before = await remainsOf(service);
});
afterAll(() => service.close());

/** Sends a request and expects that it changed nothing. */
async function refusal(options: SendOptions) {
  const { status, body } = await sendPost(user, options);
  expect(await remainsOf(service)).toEqual(before);
  return `${status} ${body.code}`;
}
const withField = (name: string, value: string) => refusal({ to: [account.id], fields: [[name, value]] });

describe('platforms', () => {
  test.each([
    ['not JSON', 'tiktok and youtube'],
    ['empty', ''],
    ['an object', '{"0":"x"}'],
    ['a number', '7'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['no id in it', '[]'],
    ['a number in it', '[1]'],
    ['null in it', '[null]'],
    ['an empty id in it', '[""]'],
    ['U+0000 in it', '["\\u0000"]'],
    ['a lone surrogate in it', '["\\ud800"]'],
    ['an array in it', '[["x"]]'],
    ['broken off', '["x"'],
  ])('%s is malformed', async (_, value) => {
    expect(await refusal({ fields: [['platforms', value]] })).toBe('400 invalid_request');
  });

  test('more than fifty ids or none are rejected', async () => {
    expect(await refusal({ to: Array.from({ length: 51 }, () => uuidv7()) })).toBe('400 invalid_request');
    expect(await refusal({})).toBe('400 invalid_request');
  });

  test('ids are counted before duplicates are removed', async () => {
    const repeated = (count: number) => refusal({ to: Array<string>(count).fill(uuidv7()) });
    expect(await repeated(51)).toBe('400 invalid_request');
    expect(await repeated(50)).toBe('404 unknown_platform');
  });

  test.each([
    ['no id at all', 'my-account'],
    ['an id of nothing', '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b'],
    ['an id in capitals', '019A0B1C-2D3E-7F40-8A5B-6C7D8E9F0A1B'],
  ])('%s is unknown, and named', async (_, id) => {
    const { status, body } = await sendPost(user, { fields: [['platforms', JSON.stringify([account.id, id])]] });
    expect(`${status} ${body.code}`).toBe('404 unknown_platform');
    expect(body.message).toContain(`"${id}"`);
    expect(await remainsOf(service)).toEqual(before);
  });

  test('all unknown ids are named', async () => {
    const { body } = await sendPost(user, { to: ['one', account.id, 'two'] });
    expect(body).toMatchObject({ code: 'unknown_platform', message: 'Connected accounts not found: "one", "two".' });
  });

  test('another user’s account is unknown', async () => {
    const known = await sendPost(user, { to: [foreign.id] });
    const unknown = await sendPost(user, { to: [uuidv7()] });
    const plain = ({ body }: typeof known) => JSON.stringify(body).replace(/"[^"]*[0-9a-f]{12}\\"/g, '');
    expect(known.status).toBe(404);
    expect(plain(known).replace(foreign.id, '')).toBe(plain(unknown).replace(/[0-9a-f-]{36}/, ''));
  });

  test.each(['EXPIRED', 'REVOKED', 'DISCONNECTED'])('an account that is %s is named', async (status) => {
    const other = await addReadyAccount(service.db, user.userId, { status });
    const { body, ...response } = await sendPost(user, { to: [account.id, other.id] });
    expect(`${response.status} ${body.code}`).toBe('409 platform_not_connected');
    expect(body.message).toContain(other.id);
    expect(await remainsOf(service)).toEqual(before);
  });

  test('an account with a missing choice is rejected', async () => {
    const other = await addReadyAccount(service.db, user.userId);
    await service.db.execute(`update account set choices = '{}' where id = $1`, [other.id]);
    expect(await refusal({ to: [other.id] })).toBe('409 setup_needed');
  });
});

describe('text and times', () => {
  test('a description over 5,000 code points is rejected', async () => {
    const mastodon = await addReadyAccount(service.db, user.userId, { platform: 'mastodon' });
    await service.db.execute(
      `update account set capabilities = jsonb_set(capabilities, '{caption,maxLength}', '9000') where id = $1`,
      [mastodon.id],
    );
    const send = (description: string) =>
      sendPost(user, { to: [mastodon.id], fields: [['description', description]], bytes: Buffer.from('x') });
    expect((await send('😀'.repeat(5_001))).body.code).toBe('invalid_request');
    expect((await send('😀'.repeat(5_000))).body.code).toBe('video_unreadable');
  });

  test('a description over an account’s limit names both', async () => {
    const { status, body } = await sendPost(user, { to: [account.id], fields: [['description', 'x'.repeat(2_201)]] });
    expect(`${status} ${body.code}`).toBe('400 caption_too_long');
    expect(body.message).toMatch(/tiktok @nora.*2,200/);
    // Mastodon usernames already start with @.
    await service.db.execute(`update account set username = '@nora@host.example' where id = $1`, [account.id]);
    const again = await sendPost(user, { to: [account.id], fields: [['description', 'x'.repeat(2_201)]] });
    expect(again.body.message).toMatch(/^tiktok @nora@host\.example/);
    expect(await remainsOf(service)).toEqual(before);
  });

  test.each([
    ['x', '$ABC and $DEF', /^x @.*one cashtag/],
    ['threads', Array.from({ length: 6 }, (_, n) => `https://a.example/${n}`).join(' '), /^threads @.*links/],
  ])('a text that %s rejects is rejected at once', async (platform, description, message) => {
    const { id } = await addReadyAccount(service.db, user.userId, { platform });
    const { status, body } = await sendPost(user, { to: [id], fields: [['description', description]] });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.message).toMatch(message);
    expect(await remainsOf(service)).toEqual(before);
  });

  test.each(['soon', '', '1.5', '1e12', '0x10', ' 1', '2026-08-01T00:00:00Z'])(
    'a scheduled time of "%s" is not a whole number',
    async (value) => {
      expect(await withField('scheduled', value)).toBe('400 invalid_request');
    },
  );

  test('a scheduled time past or over 366 days is rejected', async () => {
    const now = (await service.db.clock.now()).getTime();
    expect(await withField('scheduled', String(now - 61_000))).toBe('400 scheduled_in_past');
    expect(await withField('scheduled', '-1')).toBe('400 scheduled_in_past');
    expect(await withField('scheduled', String(now + 367 * 86_400_000))).toBe('400 scheduled_too_far');
    expect(await withField('scheduled', '9'.repeat(40))).toBe('400 scheduled_too_far');
  });

  test('a scheduled time in seconds or microseconds names milliseconds', async () => {
    const at = (await service.db.clock.now()).getTime() + 3_600_000;
    const seconds = Math.floor(at / 1000);
    const send = async (value: number) =>
      (await sendPost(user, { to: [account.id], fields: [['scheduled', String(value)]] })).body.message;
    expect(await send(seconds)).toBe(
      `The scheduled time is in the past. It must be in milliseconds, not seconds: ${seconds}000.`,
    );
    expect(await send(at * 1000)).toMatch(new RegExp(`in milliseconds, not microseconds: ${at}\\.$`));
    expect(await send(seconds - 864_000)).toBe('The scheduled time is in the past.');
  });

  test('a text that counts twice tells both lengths', async () => {
    const { id } = await addReadyAccount(service.db, user.userId, { platform: 'linkedin' });
    const { body } = await sendPost(user, { to: [id], fields: [['description', '['.repeat(2_990)]] });
    expect(body.message).toMatch(
      /The text has 5,980 characters as the platform counts them, and 2,990 as written\. The maximum is 3,000\.$/,
    );
  });

  test.each(['-0.1', 'soon', '', 'NaN', 'Infinity', '1e999', '0x1', '4.1', '90'])(
    'a previewTime of "%s" is outside a four-second video',
    async (value) => {
      expect(await withField('previewTime', value)).toBe('400 preview_time_out_of_range');
    },
  );

  test('fit is pad or crop', async () => {
    expect(await withField('fit', 'stretch')).toBe('400 invalid_request');
  });

  test('an unknown field is named', async () => {
    const { body } = await sendPost(user, { to: [account.id], fields: [['title', 'x']] });
    expect(body).toMatchObject({ code: 'unknown_field', message: expect.stringContaining('"title"') });
  });

  test.each(['description', 'previewTime', 'scheduled', 'fit'])('%s given twice is rejected', async (name) => {
    const fields = [
      [name, '1'],
      [name, '1'],
    ] as const;
    expect(await refusal({ to: [account.id], fields })).toBe('400 invalid_request');
  });
});

describe('the video', () => {
  const video = (path: Promise<string> | string) => async () => refusal({ to: [account.id], video: await path });

  test('missing, empty or text is rejected', async () => {
    expect(await refusal({ to: [account.id], video: null })).toBe('400 video_missing');
    expect(await refusal({ to: [account.id], bytes: Buffer.alloc(0) })).toBe('400 video_missing');
    expect(await withField('video', 'text')).toBe('400 video_missing');
  });

  test('two videos are rejected', async () => {
    const form = new FormData();
    form.append('platforms', JSON.stringify([account.id]));
    for (const name of ['a.mp4', 'b.mp4']) form.append('video', new Blob(['x'.repeat(100)]), name);
    const { status, body } = await user.call('POST', '/post', { body: form });
    expect(`${status} ${body.code}`).toBe('400 several_videos');
    expect(await remainsOf(service)).toEqual(before);
  });

  test('a text named .mp4', async () => {
    const path = join(service.context.config.dataDir, 'text.mp4');
    await writeFile(path, 'this is no video '.repeat(1_000));
    expect(await video(path)()).toBe('400 video_unreadable');
  });

  test('half a video', async () => {
    const bytes = await readFile(await makeVideo());
    expect(await refusal({ to: [account.id], bytes: bytes.subarray(0, bytes.length / 2) })).toBe(
      '400 video_unreadable',
    );
  });

  test.each([
    ['of 2.9 s', { seconds: 2.9 }, '400 video_too_short'],
    ['of 91 s', { seconds: 91, fps: 2, picture: 'plain', audio: false }, '400 video_too_long'],
    ['of another shape', { width: 320, height: 180, seconds: 3 }, '400 video_not_vertical'],
    ['that is nearly 9:16', { width: 184, height: 320, seconds: 3 }, '400 video_not_vertical'],
  ] as const)('%s', async (_, options, expected) => {
    expect(await video(makeVideo(options))()).toBe(expected);
  });

  test('a preview after the end is rejected before fitting', async () => {
    const fields = [
      ['fit', 'pad'],
      ['previewTime', '3.5'],
    ] as const;
    const path = await makeVideo({ width: 320, height: 180, seconds: 3 });
    expect(await refusal({ to: [account.id], video: path, fields })).toBe('400 preview_time_out_of_range');
  });
});

test('sandbox accounts are not connected if it is disabled', async () => {
  const simulated = await addReadyAccount(service.db, user.userId, { sandbox: true });
  expect(await refusal({ to: [account.id, simulated.id] })).toBe('409 platform_not_connected');
  const { config } = service.context;
  service.context.config = { ...config, sandbox: true };
  expect((await sendPost(user, { to: [simulated.id] })).status).toBe(200);
  service.context.config = config;
});
