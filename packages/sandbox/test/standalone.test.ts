import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type RunningSandbox, type SandboxOptions, startSandbox } from '../src/index.ts';
import { closedAfterTest } from './harness/after-test.ts';
import { withFolder } from './harness/folder.ts';
import { sendRaw } from './harness/raw-http.ts';
import { startVideoServer } from './harness/video-server.ts';

const video = randomBytes(1_000);
const sha256 = createHash('sha256').update(video).digest('hex');

const start = closedAfterTest(async (options: SandboxOptions = {}) => {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  return { ...(await startSandbox({ platforms: ['telegram'], processingMs: 0, onError, ...options })), errors };
});

async function tokenOf(sandbox: RunningSandbox, username = 'nora') {
  const { credentials, remoteId } = await sandbox.platform('telegram').createAccount(username);
  if (!credentials) throw new Error('No credentials.');
  return { path: `/bot${credentials.secret}`, chat: remoteId };
}

/** Posts a video as a Telegram bot. */
async function post(sandbox: RunningSandbox, text: string): Promise<Response> {
  const { path, chat } = await tokenOf(sandbox);
  const form = new FormData();
  form.set('chat_id', chat);
  form.set('caption', text);
  form.set('video', new Blob([video], { type: 'video/mp4' }), 'video.mp4');
  return fetch(`${sandbox.platform('telegram').url}${path}/sendVideo`, { method: 'POST', body: form });
}

const json = (url: string, body: unknown) =>
  sendRaw(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

test('a posted video can be read back', async () => {
  const sandbox = await start();
  expect((await post(sandbox, 'hello')).status).toBe(200);
  const [item, ...more] = await sandbox.feed();
  expect(item).toMatchObject({ platform: 'telegram', text: 'hello', bytes: 1_000, sha256 });
  expect(more).toEqual([]);
  expect(JSON.parse((await sendRaw(`${sandbox.url}/feed.json`)).text)).toEqual([item]);
  const platform = sandbox.platform('telegram');
  const [entry] = await platform.published();
  expect(entry && (await platform.video(entry)).equals(video)).toBe(true);
  const media = await sendRaw(`${sandbox.url}/media/telegram/${encodeURIComponent(item?.id ?? '')}`);
  expect(media.bytes.equals(video)).toBe(true);
});

test('accounts and base addresses are available over HTTP', async () => {
  const sandbox = await start({ platforms: ['telegram', 'tiktok'] });
  const { url, endpoints } = sandbox.platform('tiktok');
  const listed = JSON.parse((await sendRaw(`${sandbox.url}/platforms`)).text);
  expect(listed).toMatchObject({ app: sandbox.app, platforms: { tiktok: { url, endpoints } } });
  expect(Object.keys(listed.platforms)).toEqual(['telegram', 'tiktok']);
  const account = await json(`${sandbox.url}/accounts`, { platform: 'tiktok', username: 'nora' });
  expect([account.status, JSON.parse(account.text)]).toMatchObject([
    200,
    { username: 'nora', tokenAnswer: { access_token: expect.any(String) } },
  ]);
});

test.each([
  ['an unknown platform', { platform: 'other', username: 'nora' }, 'Unknown platform "other"'],
  ['no user name', { platform: 'telegram' }, '"username"'],
  ['no object', ['telegram'], 'JSON object'],
])('%s is refused with a reason', async (_case, body, reason) => {
  const response = await json(`${(await start()).url}/accounts`, body);
  expect([response.status, JSON.parse(response.text).error]).toEqual([400, expect.stringContaining(reason)]);
});

test('the credentials page rejects an impossible user name', async () => {
  const { url } = await start({ platforms: ['tiktok'] });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = 'platform=tiktok&username=a%2Fb';
  const { status, text } = await sendRaw(`${url}/credentials`, { method: 'POST', headers, body });
  expect([status, text]).toEqual([400, expect.stringContaining('no slash')]);
});

test('forms of foreign pages cannot inject faults', async () => {
  const sandbox = await start();
  const body = JSON.stringify({ kind: 'server-error' });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
    expect(
      (await sendRaw(`${sandbox.url}/faults`, { method: 'POST', headers: { 'content-type': type }, body })).status,
    ).toBe(400);
  expect((await post(sandbox, 'hello')).status).toBe(200);
});

test('faults are injected and cleared over HTTP', async () => {
  const sandbox = await start();
  const rule = { platform: 'telegram', kind: 'server-error', method: 'post', path: '/bot', times: 1 };
  expect((await json(`${sandbox.url}/faults`, rule)).status).toBe(204);
  expect((await post(sandbox, 'first')).status).toBeGreaterThanOrEqual(500);
  expect((await post(sandbox, 'second')).status).toBe(200);
  await json(`${sandbox.url}/faults`, { kind: 'reset-after' });
  await expect(post(sandbox, 'third')).rejects.toThrow();
  expect((await sendRaw(`${sandbox.url}/faults`, { method: 'DELETE' })).status).toBe(204);
  expect((await post(sandbox, 'fourth')).status).toBe(200);
  expect((await sandbox.feed()).map(({ text }) => text)).toEqual(['second', 'third', 'fourth']);
});

test.each([
  [{ kind: 'other' }, 'must be one of'],
  [{ kind: 'server-error', share: 2 }, 'from 0 to 1'],
  [{ kind: 'server-error', times: 0 }, 'above 0'],
  [{ kind: 'server-error', path: 7 }, '"path"'],
  [{ kind: 'server-error', platform: 'other' }, 'Unknown platform'],
])('the fault %o is refused', async (rule, reason) => {
  const response = await json(`${(await start()).url}/faults`, rule);
  expect([response.status, JSON.parse(response.text).error]).toEqual([400, expect.stringContaining(reason)]);
});

describe('a share of the requests', () => {
  async function drawn(seed: number): Promise<string> {
    const sandbox = await start({ seed, faults: [{ kind: 'server-error', share: 0.3 }] });
    let statuses = '';
    for (let i = 0; i < 60; i++)
      statuses += (await sendRaw(`${sandbox.platform('telegram').url}/botnone/getMe`)).status >= 500 ? 'x' : '.';
    return statuses;
  }

  test('is drawn alike for the same seed', async () => {
    const first = await drawn(1);
    expect(await drawn(1)).toBe(first);
    expect(await drawn(2)).not.toBe(first);
    const hit = first.replaceAll('.', '').length;
    expect(hit).toBeGreaterThan(5);
    expect(hit).toBeLessThan(35);
  });
});

test('a folder keeps accounts, posts and videos', async () => {
  await withFolder(async (folder) => {
    const open = () => startSandbox({ platforms: ['telegram'], processingMs: 0, folder });
    const before = await open();
    const token = await tokenOf(before);
    await post(before, 'kept');
    const feed = await before.feed();
    await before.close();
    const after = await open();
    onTestFinished(after.close);
    const platform = after.platform('telegram');
    expect((await after.feed()).map(({ text, sha256 }) => [text, sha256])).toEqual(
      feed.map(({ text, sha256 }) => [text, sha256]),
    );
    expect((await sendRaw(`${platform.url}${token.path}/getMe`)).status).toBe(200);
    const [entry] = await platform.published();
    expect(entry && (await platform.video(entry)).equals(video)).toBe(true);
    await after.close();
  });
});

test('a platform fetches a video by its address', async () => {
  const server = await startVideoServer(video);
  onTestFinished(server.close);
  const sandbox = await start();
  const { path, chat } = await tokenOf(sandbox);
  const send = (url: string) =>
    json(`${sandbox.platform('telegram').url}${path}/sendVideo`, { chat_id: chat, video: url, caption: 'fetched' });
  expect((await send(server.videoUrl)).status).toBe(200);
  expect((await send(`${server.url}/none`)).status).toBe(400);
  expect((await send('http://127.0.0.1:1/video.mp4')).status).toBe(400);
  expect(await sandbox.feed()).toMatchObject([{ text: 'fetched', sha256 }]);
});

test('an unknown platform and a used port fail the start', async () => {
  await expect(startSandbox({ platforms: ['other'] })).rejects.toThrow('Unknown platform "other"');
  const port = Number(new URL((await start()).url).port);
  await expect(startSandbox({ platforms: [], port })).rejects.toThrow('EADDRINUSE');
});
