import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createClient, type NodeClient } from '../../sdk/src/node.ts';
import { limitingProxy, noted, withServer } from '../../sdk/test/harness.ts';
import { pad } from '../../server/test/harness/pad.ts';
import type { TestUser } from '../../server/test/harness/service.ts';
import { makeVideo } from '../../server/test/media/fixtures.ts';
import { serveSource } from '../../server/test/post/video-address-world.ts';
import { post } from '../src/remote/post.ts';
import { add, remove } from '../src/remote/rules.ts';
import {
  reelay,
  reelayAs,
  reelayHere,
  reelayNoting,
  reelayUntil,
  refusal,
  type SharedService,
  startShared,
} from './run.ts';

let service: SharedService;
let user: TestUser;
let client: NodeClient;
let folder: string;
let video: string;
let ids: string[];
beforeAll(async () => {
  service = await startShared({ overrides: { videoHosts: ['127.0.0.1'] } });
  user = await service.newUser();
  client = createClient({ baseUrl: service.url, apiKey: user.key });
  folder = await mkdtemp(join(tmpdir(), 'reelay-cli-'));
  video = join(folder, 'my "clip".mp4');
  await copyFile(await makeVideo({ seconds: 3, width: 360, height: 640, fps: 24, seed: 81 }), video);
  const { accounts } = service.context;
  const connect = (platform: string) =>
    accounts.connectSandbox({ userId: user.userId, platform, username: 'nora', privacy: 'public', actor: 'test' });
  ids = [...(await connect('tiktok')), ...(await connect('mastodon'))].map((account) => account.id);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (args: readonly string[], env: Record<string, string> = {}, runner = reelayHere) =>
  runner(args, { env: { ...service.remoteEnv(user.key), ...env } });

test('post waits for the result and prints its URL', async () => {
  const args = ['post', video, '--to', ids.join(','), '--description', 'Hello', '--wait'];
  const { status, stdout, stderr } = await run(args, {}, reelay);
  expect(stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^SUCCESS tiktok nora http.*\/sandbox\/tiktok\//),
    expect.stringMatching(/^SUCCESS mastodon \S+ http.*\/sandbox\/mastodon\//),
  ]);
  expect(stderr).toMatch(/^Queued on 2 accounts: [0-9a-f-]{36}\n$/);
  expect(status).toBe(0);
});

describe('a large video', () => {
  let large: string;
  const uploads = () =>
    service.db.query<{ bytes: number; filename: string; post_id: string | null }>(
      'select bytes, filename, post_id from upload where user_id = $1',
      [user.userId],
    );
  beforeAll(async () => {
    large = join(folder, 'large.mp4');
    await copyFile(video, large);
    await pad(large, 34 * 1024 * 1024);
  });

  test('is uploaded first, then posted', async () => {
    const { status, stdout, stderr } = await run([
      'post',
      large,
      '--to',
      ids[0] ?? '',
      '--at',
      'tomorrow 9:00',
      '--json',
    ]);
    expect([status, stderr]).toEqual([0, '']);
    const { historyId } = JSON.parse(stdout);
    expect(await uploads()).toEqual([{ bytes: 34 * 1024 * 1024, filename: 'large.mp4', post_id: historyId }]);
  });

  test('is not uploaded for unknown accounts, and removed if rejected', async () => {
    const before = await uploads();
    expect(await refused(['post', large, '--to', 'nobody'])).toBe('Connected account "nobody" not found.');
    expect(await refused(['post', large, '--to', ids[0] ?? '', '--preview-time', '99'])).toContain('previewTime');
    expect(await uploads()).toEqual(before);
  });
});

test('a video that a proxy refuses is uploaded in pieces', async () => {
  const path = join(folder, 'medium.mp4');
  await copyFile(video, path);
  await pad(path, 2 * 1024 * 1024);
  const proxy = await limitingProxy(service.url, 1024 * 1024);
  const args = ['post', path, '--to', ids[0] ?? '', '--at', 'tomorrow 9:00', '--json'];
  const { status, stdout, stderr } = await run(args, { REELAY_URL: proxy.url });
  await proxy.close();
  expect([status, stderr]).toEqual([0, '']);
  const { historyId } = JSON.parse(stdout);
  expect(await service.db.query('select filename from upload where post_id = $1', [historyId])).toEqual([
    { filename: 'medium.mp4' },
  ]);
});

test('post exits 1 if any account failed', async () => {
  const args = ['post', video, '--to', ids[0] ?? '', '--description', 'No #sandbox-reject', '--wait', '--json'];
  const { status, stdout, stderr } = await run(args);
  expect([status, stderr]).toEqual([1, expect.stringContaining('Queued on 1 account')]);
  expect(JSON.parse(stdout)).toMatchObject({ result: [{ status: 'FAILED', message: 'video_rejected' }] });
});

test('--at uses the local time zone', async () => {
  const args = ['post', video, '--to', ids[0] ?? '', '--to', ids[1] ?? '', '--at', 'tomorrow 9:00', '--json'];
  const { stdout } = await run(args, { TZ: 'Asia/Tokyo' }, reelay);
  const created = JSON.parse(stdout);
  expect(created).toMatchObject({ scheduled: true, date: expect.stringMatching(/T00:00:00\.000Z$/) });
  expect(created.result).toHaveLength(2);
  const { data, total } = JSON.parse((await run(['history', '--json'])).stdout);
  // Its position depends on the time of day: the history is sorted by the scheduled time.
  const entry = data.find(({ id }: { id: string }) => id === created.historyId);
  expect(entry).toMatchObject({ scheduled: true, date: created.date });
  expect(total).toBe(data.length);
  const listed = (await run(['history'])).stdout;
  expect(listed).toContain(created.historyId);
  expect(listed).toMatch(/tiktok PENDING, mastodon PENDING/);
  expect((await run(['history', '--page', '2'])).stdout.trimEnd().split('\n')).toHaveLength(1);
});

test('an account in trouble is shown as retrying', async () => {
  const args = ['post', video, '--to', ids[0] ?? '', '--at', 'in 2 hours', '--json'];
  const { historyId } = JSON.parse((await run(args)).stdout);
  const reason = { code: 'internal_error', params: {} };
  const trouble = { code: 'platform_unavailable', reason, platformCode: null, since: 0, attempts: 1 };
  await service.db.execute('update target set trouble = $2 where post_id = $1', [historyId, trouble]);
  const { stdout } = await run(['history']);
  expect(stdout.split('\n').find((line) => line.includes(historyId))).toMatch(/tiktok RETRYING/);
});

test('accounts are listed without loading server code', async () => {
  const { stdout, loaded } = await reelayNoting(['platforms'], { env: service.remoteEnv(user.key) });
  for (const id of ids) expect(stdout).toContain(id);
  expect(loaded).toContain('packages/sdk/src/node.ts');
  const ofService = loaded.filter((path) => path.startsWith('packages/server/')).map((path) => basename(path));
  expect(ofService.sort()).toEqual(['env.ts', 'plan-names.ts']);
  expect(JSON.parse((await run(['platforms', '--json'])).stdout)).toMatchObject([
    { platform: 'tiktok' },
    { platform: 'mastodon' },
  ]);
});

test('adds, lists, pauses, resumes and removes a rule', async () => {
  const [from = '', to = ''] = ids;
  const added = await run(['rules', 'add', '--from', from, '--to', to]);
  expect(added.stdout).toMatch(/^[0-9a-f-]{36}\n$/);
  const id = added.stdout.trimEnd();
  expect(await refusal(add(client, { from: to, to: [from] }))).toBe('Circular dependency');
  expect((await run(['rules', 'pause', id])).stdout).toBe('Paused.\n');
  expect(JSON.parse((await run(['rules', 'list', '--json'])).stdout)).toMatchObject([{ id, isPaused: true }]);
  expect((await run(['rules', 'resume', id])).stdout).toBe('Resumed.\n');
  expect((await run(['rules', 'list'])).stdout).toMatch(new RegExp(`^${id}  tiktok nora  mastodon .*  active  `, 'm'));
  expect((await run(['rules', 'delete', id])).stdout).toBe('Deleted.\n');
  expect(await refusal(remove(client, id))).toBe('Rule not found.');
});

test('a rule is shown, changed, previewed and followed', async () => {
  const [from = '', to = ''] = ids;
  const file = join(folder, 'options.json');
  await writeFile(file, JSON.stringify({ filters: { contains: ['never'] } }));
  const rule = ['--from', from, '--to', to];
  const planned = await run(['rules', 'preview', ...rule, '--text', 'Hello', '--caption', '{caption} again']);
  expect(planned.stdout).toMatch(new RegExp(`^${to}  11/\\d+$`, 'm'));
  expect(planned.stderr).toMatch(/^Warning: TikTok /);
  const added = await run([
    'rules',
    'add',
    ...rule,
    '--options',
    `@${file}`,
    '--delay',
    '5',
    '--quiet-hours',
    '01:00-02:00',
  ]);
  expect(added.stderr).toMatch(/^TikTok does not (?:show|give out) /);
  const id = added.stdout.trimEnd();
  const shown = JSON.parse((await run(['rules', 'show', id, '--json'])).stdout);
  expect(shown.options).toMatchObject({
    delayMinutes: 5,
    filters: { contains: ['never'] },
    quietHours: { from: '01:00', to: '02:00', zone: 'UTC' },
  });
  const changed = await run([
    'rules',
    'options',
    id,
    '--options',
    '{"quietHours":null,"delayMinutes":9}',
    '--delay',
    '7',
  ]);
  expect(changed.stdout).toMatch(/^delayMinutes +7$/m);
  expect(changed.stdout).toMatch(/^quietHours +null$/m);
  expect(changed.stdout).toMatch(/^reposts a day +no limit of own posts, 25 of others$/m);
  await run(['post', video, '--to', from, '--description', 'For the rule', '--wait']);
  const items = async () => JSON.parse((await run(['rules', 'activity', id, '--limit', '5', '--json'])).stdout).data;
  await vi.waitFor(async () => expect(await items()).toMatchObject([{ status: 'skipped' }]), { timeout: 10_000 });
  const [item] = await items();
  const listed = await run(['rules', 'activity', id]);
  expect(listed.stdout).toMatch(
    new RegExp(`^${item.id}  .*  skipped  For the rule  Skipped: the caption contains none of`, 'm'),
  );
  expect((await run(['rules', 'preview', id])).stdout).toMatch(/ skip +For the rule /);
  expect((await run(['rules', 'repost', id, item.id])).stdout).toMatch(/\.\n$/);
  await run(['rules', 'delete', id]);
});

test('unclear options of rules are refused', async () => {
  expect(await refused(['rules', 'show', 'X'])).toBe('Rule "X" not found.');
  expect(await refused(['rules', 'preview'])).toBe('Specify either a rule id, or --from and --to.');
  expect(await refused(['rules', 'preview', 'X', '--from', 'Y'])).toBe('Specify either a rule id, or --from and --to.');
  expect(await refused(['rules', 'options', 'X', '--quiet-hours', 'night'])).toBe(
    '"night" is invalid. Use the form 22:00-07:00.',
  );
  expect(await refused(['rules', 'options', 'X', '--options', '{'])).toBe('{ is not valid JSON.');
});

/** Returns the one-line error of a command that must fail. */
async function refused(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { status, stdout, stderr } = await run(args, env);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  return stderr.trimEnd();
}

test('an invalid key or URL is reported in one line', async () => {
  const environments: Record<string, string>[] = [
    { REELAY_API_KEY: '' },
    { REELAY_API_KEY: 'rly_wrong' },
    { REELAY_URL: 'http://127.0.0.1:9' },
    { REELAY_URL: 'nowhere' },
  ];
  const sentences = await Promise.all(environments.map((env) => refused(['platforms'], env)));
  expect(sentences).toEqual([
    expect.stringContaining('REELAY_API_KEY is not set'),
    expect.stringContaining('missing API key'),
    expect.stringContaining('http://127.0.0.1:9 does not respond ('),
    '"nowhere" is not the URL of a service.',
  ]);
});

describe('a check', () => {
  test('reports the outcome and reason per account, and posts nothing', async () => {
    const before = (await user.get('/post/history')).body.total;
    const checked = await run(['check', video, '--to', ids.join(','), '--description', 'x'.repeat(501)]);
    const [head, tiktok, mastodon] = checked.stdout.trimEnd().split('\n');
    expect(head).toMatch(/^PLATFORM +USERNAME +OUTCOME +WHY$/);
    expect(tiktok).toMatch(/^tiktok +nora +fits$/);
    expect(mastodon).toMatch(/^mastodon +\S+ +refused +.*The maximum is 500\. \(1 too many\)$/);
    expect(checked.status).toBe(1);
    expect((await user.get('/post/history')).body.total).toBe(before);
  });

  test('exits 0 for an accepted video and reports conversions', async () => {
    const slow = await makeVideo({ seconds: 3, width: 360, height: 640, fps: 10 });
    const checked = await run(['check', slow, '--to', ids[0] ?? '']);
    expect(checked.stdout).toMatch(/converted +The video has 10 frames .* Converted to 360×640 at 24 fps\./);
    expect(checked.status).toBe(0);
  });
});

test('a part of a long video is posted', async () => {
  const long = await makeVideo({ seconds: 100, fps: 2, picture: 'plain' });
  expect((await run(['check', long, '--to', ids[0] ?? ''])).stderr).toContain('The maximum is 90 seconds.');
  const { video: checked } = JSON.parse(
    (await run(['check', long, '--to', ids[0] ?? '', '--trim', '95.5-', '--json'])).stdout,
  );
  expect(checked.durationMs).toBeGreaterThanOrEqual(4_450);
  expect(checked.durationMs).toBeLessThanOrEqual(4_550);
});

test('a video by URL is checked and posted', async () => {
  const bytes = await readFile(video);
  const host = await serveSource((_request, response) => void response.end(bytes));
  try {
    const args = ['--url', `${host.origin}/v.mp4`, '--to', ids[0] ?? ''];
    const { result } = JSON.parse((await run(['check', ...args, '--json'])).stdout);
    expect(result).toMatchObject([{ platformId: ids[0], username: 'nora', outcome: 'fits' }]);
    const { status, stdout } = await run(['post', ...args, '--at', 'in 2 hours']);
    expect(stdout).toMatch(/^Scheduled for .* on 1 account: /);
    expect(status).toBe(0);
    expect(host.requests.map(({ url }) => url)).toEqual(['/v.mp4', '/v.mp4']);
  } finally {
    await host.close();
  }
});

test('an invalid post is refused with a one-line reason', async () => {
  const [id = ''] = ids;
  const sentences = await Promise.all([
    ...[
      ['/nonexistent.mp4', '--to', id],
      [video, '--to', id, '--preview-time', 'middle'],
      [video, '--to', 'nobody'],
      [video, '--to', id, '--at', '2020-01-01T00:00:00Z'],
      [video, '--to', id, '--preview-time', '99'],
      [video, '--to', id, '--trim', 'the end'],
      [video, '--to', id, '--trim', '1-99'],
    ].map((args) => refused(['post', ...args])),
    // These fail before anything is sent, so before Ctrl-C is handled.
    refusal(post(client, tmpdir(), { to: [id] })),
    refusal(post(client, video, { to: [id], at: 'soon' })),
    refusal(post(client, undefined, { to: [id] })),
    refusal(post(client, video, { to: [id], url: 'https://example.org/v.mp4' })),
  ]);
  expect(sentences).toEqual([
    'The file /nonexistent.mp4 cannot be read.',
    expect.stringContaining('"middle" is not a number'),
    expect.stringContaining('nobody'),
    expect.stringContaining('past'),
    expect.stringContaining('previewTime'),
    '"the end" is not a part. Use seconds: 5-35.5, 5- or -60.',
    expect.stringContaining('trimStart'),
    `${tmpdir()} is not a file.`,
    expect.stringContaining('"soon" is not a time'),
    'Specify one video: a file, or a URL with --url.',
    'Specify one video: a file, or a URL with --url.',
  ]);
});

test('Ctrl-C stops waiting with exit status 130; the post continues', async () => {
  const args = ['post', video, '--to', ids[0] ?? '', '--at', 'in 2 hours', '--wait'];
  const options = { env: service.remoteEnv(user.key) };
  const waiting = await reelayUntil(args, /Scheduled for .*: (\S+)/, options);
  expect(await waiting.stop('SIGINT')).toBe(130);
  expect(waiting.said()).toContain('Interrupted. The post continues on the server.');
  expect((await user.get(`/post/${waiting.found[1]}`)).status).toBe(200);
});

test('Ctrl-C stops an upload', async () => {
  const arrived = Promise.withResolvers<void>();
  await withServer([() => arrived.resolve()], async ({ url }) => {
    const env = { REELAY_URL: url, REELAY_API_KEY: user.key };
    const uploading = reelayAs(['post', video, '--to', 'x'], { env });
    await arrived.promise;
    expect(await uploading.stop('SIGINT')).toBe(130);
    expect(uploading.said()).toMatch(/^Interrupted\. The post may have been accepted.*\n$/);
  });
});

describe('a post whose response is lost', () => {
  /** Calls `post` with a client whose first responses to POST /post are the given ones. */
  async function postOver(file: string, responses: (Response | null)[]) {
    const { pauses, pause } = noted();
    const lossy: typeof fetch = async (url, init) => {
      const isPost = init?.method === 'POST' && String(url).endsWith('/post');
      const response = isPost ? responses.shift() : undefined;
      if (response) return response;
      const real = await fetch(url, init);
      if (response === null) throw new TypeError('fetch failed');
      return real;
    };
    const said: string[] = [];
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
    const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      const over = createClient({ baseUrl: service.url, apiKey: user.key, fetch: lossy, pause });
      await post(over, file, { to: [ids[0] ?? ''], at: 'in 2 hours' }).catch((error: Error) =>
        said.push(error.message),
      );
    } finally {
      stderr.mockRestore();
      stdout.mockRestore();
    }
    return { said, pauses };
  }
  let large: string;
  beforeAll(async () => {
    large = join(folder, 'other.mp4');
    await copyFile(video, large);
    await pad(large, 33 * 1024 * 1024);
  });
  const total = async () => (await user.get('/post/history')).body.total;

  test.each(['form', 'upload'])('is retried with the same key and a note: %s', async (way) => {
    const before = await total();
    const { said, pauses } = await postOver(way === 'form' ? video : large, [null, null]);
    const sentence = /^http:\S+ does not respond\. Retrying in 1 s\.\n$/;
    expect(said).toEqual([expect.stringMatching(sentence), expect.stringMatching(sentence)]);
    expect(pauses).toEqual([500, 1_000]);
    expect(await total()).toBe(before + 1);
  });

  test('keeps its upload if the first request may still run', async () => {
    const busy = () =>
      Response.json({ success: false, code: 'idempotency_in_progress', message: 'Busy.' }, { status: 409 });
    const { said, pauses } = await postOver(large, Array.from({ length: 10 }, busy));
    expect([said.length, said.at(-1)]).toEqual([10, 'Busy.']);
    expect(pauses.reduce((sum, ms) => sum + ms)).toBe(120_500);
    const kept = 'delete from upload where user_id = $1 and used_at is null returning filename';
    expect(await service.db.query(kept, [user.userId])).toEqual([{ filename: 'other.mp4' }]);
  });
});
