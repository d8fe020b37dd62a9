import { readFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../sdk/src/node.ts';
import type { TestUser } from '../../server/test/harness/service.ts';
import { makeVideo } from '../../server/test/media/fixtures.ts';
import { eventually } from '../../server/test/post/world.ts';
import { Interrupted } from '../src/output.ts';
import { catalog } from '../src/remote/catalog.ts';
import { type Choice, choose } from '../src/remote/choose.ts';
import { reelayHere, type SharedService, startShared } from './run.ts';

let service: SharedService;
let user: TestUser;
let rule: string;
/** Ids of the posts, the oldest first. */
let posts: string[] = [];

beforeAll(async () => {
  service = await startShared({ config: { leastFreeBytes: 0, rateLimit: 'off' } });
  user = await service.newUser();
  const [from = '', to = ''] = [await connect('mastodon'), await connect('tiktok')];
  for (const [hours, caption] of [
    [3, 'First'],
    [2, 'Second'],
    [1, 'Third'],
  ] as const)
    await phone(caption, hours);
  rule = (await run('add', '--from', from, '--to', to)).stdout.trimEnd();
  // The simulated platform shows posts after a moment, and a worker may be comparing one with our own posts.
  let listed: { id: string; status: string }[] = [];
  await eventually('the posts are listed', async () => {
    listed = JSON.parse((await run('catalog', rule, '--json')).stdout).data;
    return listed.length === 3 && listed.every(({ status }) => status === 'available');
  }).catch((error: unknown) => {
    throw new Error(`The posts are not available: ${JSON.stringify(listed)}`, { cause: error });
  });
  posts = listed.map(({ id }) => id).toReversed();
});
afterAll(() => service.close());

const run = (...args: string[]) => reelayHere(['rules', ...args], { env: service.remoteEnv(user.key) });

async function connect(platform: string): Promise<string> {
  const request = { userId: user.userId, platform, username: 'nora', privacy: 'public', actor: 'test' };
  return (await service.context.accounts.connectSandbox(request))[0]?.id ?? '';
}

/**
 * Posts with the simulated phone, hours before the rule: a post of the second in which a rule is added may count as later
 * than the rule.
 */
async function phone(caption: string, hoursAgo: number): Promise<void> {
  const form = new FormData();
  const publishedAt = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
  for (const [name, value] of Object.entries({ platform: 'mastodon', username: 'nora', caption, publishedAt }))
    form.set(name, value);
  const path = await makeVideo({ width: 360, height: 640, fps: 25 });
  form.set('video', new Blob([await readFile(path)], { type: 'video/mp4' }), 'video.mp4');
  const headers = { accept: 'application/json' };
  const response = await fetch(`${service.url}/sandbox/phone`, { method: 'POST', body: form, headers });
  expect(response.status).toBe(200);
}

/** Ids of the posts that wait, in the order in which they will be reposted. */
async function waiting(): Promise<string[]> {
  const rows = await service.db.query<{ id: string }>(
    `select watched_post_id as id from firing where rule_id = $1 and is_catalog and state = 'waiting'
     order by created_at`,
    [rule],
  );
  return rows.map(({ id }) => id);
}

const selected = async () => JSON.parse((await run('show', rule, '--json')).stdout).options.backCatalog;

test('catalog lists older posts with their state', async () => {
  const { stdout } = await run('catalog', rule);
  const [head, third] = stdout.split('\n');
  expect(head).toMatch(/^ITEM +PUBLISHED \(UTC\) +STATUS +CAPTION +WHY$/);
  expect(third).toMatch(new RegExp(`^${posts[2]}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +available +Third$`));
});

test('catalog selects posts by id, then order and pace', async () => {
  await run('pause', rule);
  const [first = '', second = ''] = posts;
  expect((await run('catalog', rule, second, first, '--per-day', '2')).stdout).toBe(
    'Selected 2 posts: 2 a day, oldest first.\n',
  );
  expect(await selected()).toEqual({ items: [second, first], perDay: 2, order: 'oldest' });
  expect(await waiting()).toEqual([first, second]);
  expect((await run('catalog', rule)).stdout).toMatch(new RegExp(`^${first} .* selected +First$`, 'm'));
  expect((await run('catalog', rule, '--order', 'newest', '--json')).stdout).toContain('"newest"');
  expect(await selected()).toEqual({ items: [second, first], perDay: 2, order: 'newest' });
  expect(await waiting()).toEqual([second, first]);
});

test('--all selects every post that can be reposted', async () => {
  expect((await run('catalog', rule, '--all')).stdout).toMatch(/^Selected 3 posts: /);
  expect((await selected()).items).toEqual(posts.toReversed());
});

test('--all reads every page once, even if they repeat', async () => {
  const pages = ['', 'one', 'two', 'two'];
  const post = { publishedAt: '2026-01-01T00:00:00Z', caption: '', url: null, durationMs: null };
  const repeating: typeof fetch = async (url, init) => {
    const { pathname, searchParams } = new URL(String(url));
    if (!pathname.endsWith('/catalog')) return fetch(url, init);
    const at = pages.indexOf(searchParams.get('cursor') ?? '');
    const status = at === 1 ? 'unavailable' : 'available';
    const data = [{ ...post, id: posts[at] ?? '', status, ...(at === 1 ? { reason: 'gone', text: 'Gone.' } : {}) }];
    return Response.json({ success: true, data, next: pages[at + 1] });
  };
  const client = createClient({ baseUrl: service.url, apiKey: user.key, fetch: repeating });
  await catalog(client, rule, { items: [], all: true });
  expect((await selected()).items).toEqual([posts[0], posts[2]]);
});

test.each([
  [['--all', 'X'], 'Use either item ids, --all or --interactive.'],
  [['--all', '--cursor', 'X'], "error: option '--all' cannot be used with option '--cursor <text>'"],
  [['--interactive'], '--interactive needs a terminal. Use item ids or --all.'],
  [['X'], 'X'],
  [['--per-day', '51'], 'perDay'],
])('catalog refuses %j', async (args, why) => {
  const before = await selected();
  const { status, stderr } = await run('catalog', rule, ...args);
  expect([status, stderr]).toEqual([1, expect.stringContaining(why)]);
  expect(await selected()).toEqual(before);
});

test('catalog refuses a pace without a selection', async () => {
  await run('options', rule, '--options', '{"backCatalog":null}');
  expect((await run('catalog', rule, '--per-day', '2')).stderr).toMatch(/^No posts are selected\./);
});

/** Shows a list and presses keys. @returns the chosen values and everything that was shown */
async function press(keys: readonly string[], choices: readonly Choice[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = '';
  output.on('data', (part) => {
    shown += part;
  });
  const chosen = choose(choices, { input, output });
  await expect.poll(() => shown).toContain('Select the posts');
  for (const key of keys) {
    const { length } = shown;
    input.write(key);
    await expect.poll(() => shown.length).toBeGreaterThan(length);
  }
  return { chosen: await chosen, shown };
}

const DOWN = '\u001b[B';
const CHOICES: Choice[] = [
  { value: 'a', name: 'Third\u001b[2J', checked: true, disabled: false },
  { value: 'b', name: 'Second', checked: false, disabled: 'gone' },
  { value: 'c', name: 'First', checked: false, disabled: false },
];

test('the interactive list checks and unchecks posts', async () => {
  const { chosen, shown } = await press([' ', DOWN, DOWN, ' ', '\r'], CHOICES);
  expect(chosen).toEqual(['c']);
  expect(shown).toContain('gone');
  expect(shown).not.toContain('\u001b[2J');
});

test('Ctrl-C in the interactive list changes nothing', async () => {
  await expect(press(['\u0003'], CHOICES)).rejects.toThrow(Interrupted);
});
