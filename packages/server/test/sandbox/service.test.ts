import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import type { FeedItem } from '@reelay/sandbox/feed/feed.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tinyMp4 } from '../../../sandbox/test/harness/mp4.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { createLog } from '../../src/lib/log.ts';
import { serveSandbox } from '../../src/sandbox/standalone.ts';
import { drawn, ONE_IN, seeded } from '../harness/draw.ts';
import { type Client, startService, type TestService, type TestUser } from '../harness/service.ts';
import { makeVideo } from '../media/fixtures.ts';
import { eventually } from '../post/world.ts';

const PLATFORMS = Object.keys(connectors);
/** Where more than one post to each platform adds little. */
const some = (what: string) => drawn(PLATFORMS, ONE_IN.posted, what);
/** Those that tell an access that was taken away from one that has ended. */
const TELL_OF_REVOKING = ['bluesky', 'facebook', 'instagram', 'linkedin', 'mastodon', 'telegram', 'threads'];
/** A video that every platform accepts unchanged. */
const FIT_FOR_ALL = { width: 540, height: 960, fps: 24, seconds: 6 };

let service: TestService;
let operator: TestUser;
beforeAll(async () => {
  service = await startService({ config: { rateLimit: 'per-minute' } });
  operator = await service.newUser();
});
afterAll(() => service.close());

async function connect(of: TestService, user: TestUser, platform: string, username: string): Promise<string> {
  const { accounts } = of.context;
  const request = { userId: user.userId, platform, username, privacy: 'public', actor: 'test' };
  const [account] = await accounts.connectSandbox(request);
  return account?.id ?? '';
}

async function post(user: TestUser, ids: readonly string[], video: Buffer, description: string): Promise<string> {
  const body = new FormData();
  body.set('platforms', JSON.stringify(ids));
  body.set('description', description);
  body.set('video', new Blob([new Uint8Array(video)]), 'clip.mp4');
  const response = await user.call('POST', '/post', { body });
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return response.body.historyId;
}

interface Result {
  id: string;
  status: string;
  message?: string;
  url?: string;
}

/** The results of a post when no target is open. */
async function settled(of: TestService, user: Client, postId: string): Promise<Result[]> {
  const sql = 'select from target where post_id = $1 and due_at is not null limit 1';
  await eventually('nothing is pending', async () => (await of.db.query(sql, [postId])).length === 0);
  return (await user.get(`/post/${postId}`)).body.data.result;
}

async function feedOf(url: string): Promise<FeedItem[]> {
  return (await (await fetch(`${url}/sandbox/feed.json`)).json()) as FeedItem[];
}

// Most of their time is waiting for what platforms take their time for.
describe.concurrent('posts to every platform', () => {
  test('appear in the feed once and play in ranges', async () => {
    const video = await readFile(await makeVideo({ ...FIT_FOR_ALL, seed: 71 }));
    const ids = await Promise.all(PLATFORMS.map((platform) => connect(service, operator, platform, 'nora')));
    const text = 'Seen by nobody but us';
    const results = await settled(service, operator, await post(operator, ids, video, text));
    expect(
      results.map((result) => result.status),
      JSON.stringify(results),
    ).toEqual(PLATFORMS.map(() => 'SUCCESS'));
    const items = (await feedOf(service.url)).filter((item) => item.text.includes(text));
    expect(items.map((item) => item.platform).sort()).toEqual([...PLATFORMS].sort());
    for (const item of items) {
      expect(item).toMatchObject({ bytes: video.length, sha256: createHash('sha256').update(video).digest('hex') });
      const address = `${service.url}/sandbox/media/${item.platform}/${encodeURIComponent(item.id)}`;
      const part = await fetch(address, { headers: { range: 'bytes=100-299' } });
      expect(part.status).toBe(206);
      expect(Buffer.from(await part.arrayBuffer()).equals(video.subarray(100, 300))).toBe(true);
      expect((await fetch(item.url)).status).toBe(200);
    }
    const page = await fetch(`${service.url}/sandbox`);
    expect(await page.text()).toContain(text);
  });

  test(seeded('captions inject faults, on each platform'), async () => {
    const platforms = some('trouble');
    const user = await service.newUser();
    const fine = await Promise.all(platforms.map((platform) => connect(service, user, platform, 'rejected')));
    const gone = await Promise.all(platforms.map((platform) => connect(service, user, platform, 'expired')));
    const video = await readFile(await makeVideo({ ...FIT_FOR_ALL, seed: 72 }));
    const [rejected, expired] = await Promise.all([
      post(user, fine, video, 'No #sandbox-reject'),
      post(user, gone, video, 'No #sandbox-reconnect'),
    ]);
    const failed = (message: unknown) => platforms.map((platform) => ({ platform, status: 'FAILED', message }));
    // Where only a review says no, it is the policy.
    expect(await settled(service, user, rejected)).toMatchObject(
      failed(expect.stringMatching(/^(?:video|policy)_rejected$/)),
    );
    expect(await settled(service, user, expired)).toMatchObject(failed('reconnect_required'));
    const { data } = (await user.get('/platform/platforms')).body;
    const status = new Map(data.map((each: { id: string; status: string }) => [each.id, each.status]));
    for (const id of fine) expect(status.get(id)).toBe('CONNECTED');
    const ended = (platform: string) => (TELL_OF_REVOKING.includes(platform) ? 'REVOKED' : 'EXPIRED');
    expect(gone.map((id) => status.get(id))).toEqual(platforms.map(ended));
  });

  test(seeded('connectors reach the simulators where the public address leads elsewhere'), async () => {
    const publicUrl = 'https://reelay.invalid';
    const hidden = await startService({ config: { publicUrl, httpsOnly: true, sandbox: true } });
    try {
      const from = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' };
      const { userId, key } = await hidden.newUser();
      const client = hidden.clientWith({ ...from, authorization: `Bearer ${key}` });
      for (const platform of some('elsewhere')) {
        const request = { userId, platform, username: 'inside', privacy: 'public', actor: 'test' };
        expect(await hidden.context.accounts.connectSandbox(request)).toMatchObject([{ platform }]);
      }
      const { data } = (await client.get('/platform/platforms')).body;
      const ids = data.map((each: { id: string }) => each.id);
      const body = new FormData();
      body.set('platforms', JSON.stringify(ids));
      body.set(
        'video',
        new Blob([new Uint8Array(await readFile(await makeVideo({ ...FIT_FOR_ALL, seed: 73 })))]),
        'clip.mp4',
      );
      const { historyId } = (await client.call('POST', '/post', { body })).body;
      const results = await settled(hidden, client, historyId);
      const told = results.map(({ status, url }) => [status, url?.startsWith(`${publicUrl}/sandbox/`)]);
      expect(told).toEqual(ids.map(() => ['SUCCESS', true]));
    } finally {
      await hidden.close();
    }
  });
});

test('the operator alone sees the feed through a proxy', async () => {
  const from = { 'x-forwarded-for': '203.0.113.9' };
  const stranger = await service.newUser();
  const session = await service.newSession();
  for (const path of ['/sandbox', '/sandbox/feed.json', '/sandbox/media/tiktok/1']) {
    const ask = async (headers: Record<string, string>) => (await fetch(service.url + path, { headers })).status;
    const found = path.includes('media') ? 404 : 200;
    expect(await ask({})).toBe(found);
    expect(await ask(from)).toBe(401);
    expect(await ask({ ...from, authorization: 'Bearer nonsense' })).toBe(401);
    expect(await ask({ ...from, authorization: `Bearer ${stranger.key}` })).toBe(403);
    expect(await ask({ ...from, cookie: session.cookie })).toBe(403);
    expect(await ask({ ...from, authorization: `Bearer ${operator.key}` })).toBe(found);
  }
});

describe('the phone', () => {
  const video = tinyMp4({ bytes: 3_000_000 });

  /** Sends the form as curl does: large bodies only after `100 Continue`. */
  function submit(headers: Record<string, string>, caption: string) {
    const boundary = 'a-boundary';
    const field = (name: string, value: string) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const head = [field('platform', 'mastodon'), field('username', 'phoned'), field('caption', caption)].join('');
    const file = `--${boundary}\r\ncontent-disposition: form-data; name="video"; filename="a.mp4"\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(head + file), video, Buffer.from(`\r\n--${boundary}--\r\n`)]);
    return new Promise<{ status: number; continued: boolean; text: string }>((resolve, reject) => {
      let continued = false;
      const request = http.request(`${service.url}/sandbox/phone`, {
        method: 'POST',
        agent: false,
        headers: {
          ...{ 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': body.length },
          ...{ accept: 'application/json', expect: '100-continue', ...headers },
        },
      });
      request.on('error', reject);
      request.on('continue', () => {
        continued = true;
        request.end(body);
      });
      request.on('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          request.destroy();
          resolve({ status: response.statusCode ?? 0, continued, text: Buffer.concat(parts).toString() });
        });
      });
      request.flushHeaders();
    });
  }

  test('posts to a simulated platform', async () => {
    const { status, text } = await submit({}, 'filmed by hand');
    expect(status).toBe(200);
    const { id, url, ...account } = JSON.parse(text);
    expect(account).toEqual({ platform: 'mastodon', username: 'phoned' });
    const [item] = (await feedOf(service.url)).filter((each) => each.id === id);
    const sha256 = createHash('sha256').update(video).digest('hex');
    expect(item).toMatchObject({ text: 'filmed by hand', url, sha256 });
    expect((await fetch(url)).status).toBe(200);
    const body = new URLSearchParams({ platform: 'mastodon', username: 'phoned', id });
    const removed = await fetch(`${service.url}/sandbox/phone/remove`, { method: 'POST', body });
    expect(await removed.text()).toContain('Post deleted');
    expect((await feedOf(service.url)).filter((each) => each.id === id)).toEqual([]);
  });

  test('is open to the operator only, through a proxy', async () => {
    const from = { 'x-forwarded-for': '203.0.113.9' };
    const stranger = await service.newUser();
    expect(await submit(from, 'nobody')).toMatchObject({ status: 401, continued: false });
    const known = { ...from, authorization: `Bearer ${stranger.key}` };
    expect(await submit(known, 'stranger')).toMatchObject({ status: 403, continued: false });
    expect((await fetch(`${service.url}/sandbox/phone`, { headers: from })).status).toBe(401);
    const own = await submit({ ...from, authorization: `Bearer ${operator.key}` }, 'operator');
    expect(own).toMatchObject({ status: 200, continued: true });
    const texts = (await feedOf(service.url)).filter(({ username }) => username === 'phoned').map(({ text }) => text);
    expect(texts).toEqual(['operator']);
  });
});

test('simulators have no request limits, and stream bodies', async () => {
  const at = `${service.url}/sandbox/bluesky/xrpc`;
  const account = await service.context.sandbox?.access.enrol('bluesky', 'streamer');
  const json = { 'content-type': 'application/json' };
  const broken = await fetch(`${at}/com.atproto.server.createSession`, {
    method: 'POST',
    headers: json,
    body: '{"a":',
  });
  expect(broken.status).toBe(400);
  expect(await broken.json()).not.toHaveProperty('success');
  const asked = Array.from({ length: 70 }, () => fetch(`${at}/com.atproto.server.describeServer`));
  for (const response of await Promise.all(asked)) {
    expect(response.status).toBe(200);
    expect(response.headers.has('ratelimit-limit')).toBe(false);
    await response.arrayBuffer();
  }
  const { identifier = '', secret = '' } = account?.credentials ?? {};
  const body = JSON.stringify({ identifier, password: secret });
  const session = await fetch(`${at}/com.atproto.server.createSession`, { method: 'POST', headers: json, body });
  const { accessJwt } = (await session.json()) as { accessJwt: string };
  const bytes = randomBytes(8 * 1024 * 1024);
  const uploaded = await fetch(`${at}/com.atproto.repo.uploadBlob`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessJwt}`, 'content-type': 'video/mp4' },
    body: bytes,
  });
  expect(uploaded.status).toBe(200);
  expect(await uploaded.json()).toMatchObject({ blob: { size: bytes.length } });
});

test.each(['tiktok/v2/auth/authorize/', 'mastodon/oauth/authorize', 'bluesky/profile/nobody/post/nothing'])(
  'no script runs in a page of a simulator: %s',
  async (path) => {
    const { headers } = await fetch(`${service.url}/sandbox/${path}`);
    expect(headers.get('content-type')).toContain('text/html');
    expect(headers.get('content-security-policy')).toMatch(/\b(default|script)-src 'none'/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  },
);

/** Rows of every table that is not the sandbox's. */
async function countRows(of: TestService): Promise<Record<string, number>> {
  const tables = await of.db.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('sandbox', 'pg_catalog', 'information_schema')`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    // Workers write these regularly: budgets, heartbeats, and the minutes in which one was alive.
    if (/^(public\.)?(rate|worker|alive_minute)$/.test(name)) continue;
    const [row] = await of.db.query<{ count: number }>(`select count(*)::integer as count from ${name}`);
    counts[name] = row?.count ?? -1;
  }
  return counts;
}

test('foreign requests to simulators leave no rows', async () => {
  const before = await countRows(service);
  const form = { client_name: 'Other', redirect_uris: 'https://other.example/back', scopes: 'read write' };
  const made = await fetch(`${service.url}/sandbox/mastodon/api/v1/apps`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  expect(made.status).toBe(200);
  for (const platform of PLATFORMS) await service.context.sandbox?.access.enrol(platform, 'unconnected');
  expect(await countRows(service)).toEqual(before);
});

test('the standalone sandbox uses the same store', async () => {
  const { config, secrets } = service.context;
  const before = await feedOf(service.url);
  expect(before.length).toBeGreaterThan(0);
  const alone = await serveSandbox(
    { ...config, publicUrl: 'http://localhost:0', listen: { ...config.listen, port: 0 } },
    secrets,
    createLog({ level: 'silent', pretty: false }),
  );
  try {
    const { origin } = new URL(alone.url);
    expect(await feedOf(origin)).toEqual(before);
    expect((await fetch(`${origin}/sandbox/mastodon/api/v1/instance`)).status).toBe(200);
    expect((await fetch(`${origin}/health/live`)).status).toBe(200);
    expect((await fetch(`${origin}/api/v1/platform/platforms`)).status).toBe(404);
  } finally {
    await alone.stop();
  }
});
