import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseDownloader } from '../../src/config/downloader.ts';
import { apiError, ReelayError } from '../../src/errors/reelay-error.ts';
import { HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import { say } from '../../src/messages/rules.ts';
import { say as sayTimeline } from '../../src/messages/timeline.ts';
import { PlatformError } from '../../src/outbound/platform-error.ts';
import { createDownloader } from '../../src/uploads/remote/downloader.ts';
import { provided } from '../harness/provided.ts';
import type { AccountRow } from '../harness/rows.ts';
import { makeVideo } from '../media/fixtures.ts';
import { type Source, serveSource } from '../post/video-address-world.ts';
import { createWatchWorld, shownPost, type WatchWorld } from './watch-world.ts';

let world: WatchWorld;
let source: Source;
let userId: string;
let [a, b]: AccountRow[] = [];
/** How the platform's file server responds. */
let serve: (response: ServerResponse) => void;

beforeAll(async () => {
  world = await createWatchWorld();
  source = await serveSource((_request, response) => serve(response));
});
afterAll(async () => {
  await source.close();
  await world.close();
});
beforeEach(async () => {
  await world.db.execute('truncate watch, identity, rule, placement, post, media, file_removal cascade');
  world.shown.clear();
  world.errors.length = 0;
  source.requests.length = 0;
  userId = await world.newUser();
  [a, b] = [await world.account(userId), await world.account(userId)];
  world.flow.file = async () => ({ found: 'file', url: `${source.origin}/video.mp4` });
});
afterEach(() => {
  expect(world.errors).toEqual([]);
  world.download.run = null;
});

/** Shows a post on an account that a rule reposts, and checks it. @returns the rule */
async function found(post: Parameters<WatchWorld['show']>[1] = { remoteId: '1' }, options: object = {}) {
  const rule = await world.rule(userId, a as AccountRow, [b as AccountRow]);
  await world.db.execute('update rule set options = $2 where id = $1', [rule, JSON.stringify(options)]);
  await world.db.clock.advance(SECOND);
  await world.show(a as AccountRow, post);
  await world.check();
  return rule;
}

const send = (path: string) => async (response: ServerResponse) => {
  const { size } = await stat(path);
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': size });
  createReadStream(path).pipe(response);
};

/** Videos and file removals that exist. */
async function stored() {
  const media = await world.db.query<{ state: string }>('select state from media');
  const removals = await world.db.query('select from file_removal');
  return { media: media.map(({ state }) => state), removals: removals.length };
}

test('the file is fetched once and reposted', async () => {
  serve = send(await makeVideo());
  const rule = await found();
  expect(await world.firings(rule)).toEqual(['1: reposted']);
  expect(source.requests).toHaveLength(1);
  expect(await stored()).toEqual({ media: ['stored'], removals: 0 });
  const [post] = await world.db.query('select description, repost_of, is_repost from post');
  expect(post).toEqual({ description: 'Post 1', repost_of: null, is_repost: true });
});

test('two rules of one user share the file', async () => {
  serve = send(await makeVideo());
  const other = await world.account(userId);
  const second = await world.rule(userId, a as AccountRow, [other]);
  const first = await found();
  expect([...(await world.firings(first)), ...(await world.firings(second))]).toEqual(['1: reposted', '1: reposted']);
  expect(source.requests).toHaveLength(1);
});

test('an expired URL is resolved again', async () => {
  const video = send(await makeVideo());
  serve = (response) => (source.requests.length === 1 ? void response.writeHead(403).end() : void video(response));
  let resolved = 0;
  world.flow.file = async () => ({ found: 'file', url: `${source.origin}/${++resolved}.mp4` });
  const rule = await found();
  expect(await world.firings(rule)).toEqual(['1: waiting file_fetching']);
  await world.later(MINUTE);
  expect(await world.firings(rule)).toEqual(['1: reposted']);
  expect(resolved).toBe(2);
});

test('a file that never arrives is skipped with the reason', async () => {
  serve = (response) => void response.writeHead(500).end();
  const rule = await found();
  for (let round = 0; round < 9; round++) await world.later(HOUR);
  expect(await world.firings(rule)).toEqual(['1: skipped no_file']);
  expect(source.requests).toHaveLength(8);
  expect(await stored()).toEqual({ media: [], removals: 0 });
});

test('a post deleted before its file was fetched is gone', async () => {
  world.flow.file = async () => ({ found: 'gone' });
  const rule = await found();
  expect(await world.firings(rule)).toEqual(['1: skipped gone']);
  expect((await world.found())['1']?.gone).toBe(true);
});

test('a fetched post that is then deleted stays unposted', async () => {
  serve = send(await makeVideo());
  const rule = await found({ remoteId: '1' }, { delayMinutes: 30 });
  expect(await world.firings(rule)).toEqual(['1: waiting delayed']);
  world.shown.clear();
  await world.later(16 * MINUTE);
  await world.later(16 * MINUTE);
  expect(await world.firings(rule)).toEqual(['1: skipped gone']);
});

test('a file of 4 GB is refused by its header', async () => {
  let sent = 0;
  serve = (response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 4 * 1024 ** 3 });
    const chunk = Buffer.alloc(64 * 1024);
    const more = () => {
      while (!response.destroyed && sent < 1024 ** 3 && response.write(chunk)) sent += chunk.length;
    };
    response.on('drain', more);
    more();
  };
  const rule = await found();
  expect(await world.firings(rule)).toEqual(['1: skipped file_rejected']);
  expect(sent).toBeLessThan(32 * 1024 ** 2);
  expect(await stored()).toEqual({ media: [], removals: 0 });
});

test('a video that is not vertical is skipped', async () => {
  serve = send(await makeVideo({ width: 320, height: 180 }));
  const rule = await found();
  expect(await world.firings(rule)).toEqual(['1: skipped file_rejected']);
  expect(await stored()).toEqual({ media: [], removals: 0 });
});

test('a wide video is fitted if the rule requires it', async () => {
  serve = send(await makeVideo({ width: 320, height: 180 }));
  const rule = await found({ remoteId: '1' }, { fit: 'pad' });
  expect(await world.firings(rule)).toEqual(['1: reposted']);
  const [media] = await world.db.query<{ facts: { width: number; height: number } }>('select facts from media');
  expect((media?.facts.width ?? 0) / (media?.facts.height ?? 1)).toBeCloseTo(9 / 16, 2);
});

test('a file that is no video is skipped', async () => {
  serve = (response) => void response.writeHead(200, { 'content-type': 'video/mp4' }).end('not a video');
  const rule = await found();
  expect(await world.firings(rule)).toEqual(['1: skipped file_rejected']);
});

describe('a destination that already shows the content', () => {
  test('is an echo', async () => {
    serve = send(await makeVideo());
    await world.show(b as AccountRow, { remoteId: 'shared', text: 'post 1!', durationMs: 4_000 });
    const rule = await found();
    expect(await world.firings(rule)).toEqual(['1: skipped echo']);
  });

  test('does not stop reposts to others', async () => {
    serve = send(await makeVideo());
    const other = await world.account(userId);
    await world.show(b as AccountRow, { remoteId: 'shared', text: 'Post 1', durationMs: 4_000 });
    const rule = await world.rule(userId, a as AccountRow, [b as AccountRow, other]);
    await world.db.clock.advance(SECOND);
    await world.show(a as AccountRow, { remoteId: '1' });
    await world.check();
    expect(await world.firings(rule)).toEqual(['1: reposted']);
    expect(await world.db.query('select account_id from target')).toEqual([{ account_id: other.id }]);
  });

  test('that cannot be read gets the repost', async () => {
    serve = send(await makeVideo());
    const { flow } = world;
    const rule = await world.rule(userId, a as AccountRow, [b as AccountRow]);
    await world.db.clock.advance(SECOND);
    await world.show(a as AccountRow, { remoteId: '1' });
    const [source] = [...world.shown.keys()];
    const posts = world.shown.get(source ?? '') ?? [];
    flow.list = async ({ remoteId }) => {
      if (remoteId !== source) throw new PlatformError({ kind: 'transient', detail: sayTimeline('access_ended') });
      return { posts: posts.map(shownPost), next: '' };
    };
    await world.check();
    delete flow.list;
    expect(await world.firings(rule)).toEqual(['1: reposted']);
    expect(world.errors.splice(0)).toHaveLength(1);
  });
});

test('a caption of more than 5,000 characters is skipped', async () => {
  serve = send(await makeVideo());
  const rule = await found({ remoteId: '1', text: '🌅'.repeat(5_001) });
  expect(await world.firings(rule)).toEqual(['1: skipped caption_too_long']);
});

test('the duration filter can use the file', async () => {
  serve = send(await makeVideo());
  const rule = await found({ remoteId: '1', durationMs: null }, { filters: { minSeconds: 30 } });
  expect(await world.firings(rule)).toEqual(['1: skipped filtered_too_short']);
});

test('a platform that withholds the file is named', async () => {
  world.flow.file = async () => ({ found: 'none', why: say('platform_without_files', { platform: 'Toy' }) });
  await found();
  const [row] = await world.db.query(
    `select reason->'params'->'reason'->'params'->>'platform' as platform from firing`,
  );
  expect(row).toEqual({ platform: 'Toy' });
});

test('a refusal of the platform ends the attempts', async () => {
  const detail = sayTimeline('access_ended');
  world.flow.file = () => Promise.reject(new PlatformError({ kind: 'rejected', what: 'permission', detail }));
  const rule = await found();
  expect(await world.firings(rule)).toEqual(['1: skipped no_file']);
});

test('an account that must be reconnected is waited for', async () => {
  serve = send(await makeVideo());
  const detail = sayTimeline('access_ended');
  const { flow } = world;
  flow.file = () => Promise.reject(new PlatformError({ kind: 'reconnect', detail }));
  const rule = await found();
  for (let round = 0; round < 20; round++) await world.later(HOUR);
  expect(await world.firings(rule)).toEqual(['1: waiting file_fetching']);
  flow.file = async () => ({ found: 'file', url: `${source.origin}/video.mp4` });
  await world.later(HOUR);
  expect(await world.firings(rule)).toEqual(['1: reposted']);
});

test.each(['database_unavailable', 'storage_unavailable'] as const)(
  '%s during a download says nothing about the video',
  async (code) => {
    serve = send(await makeVideo());
    const { flow } = world;
    flow.file = () => Promise.reject(new ReelayError(code));
    const rule = await found();
    expect(world.errors.splice(0)).not.toEqual([]);
    expect(await world.firings(rule)).toEqual(['1: waiting file_fetching']);
    flow.file = async () => ({ found: 'file', url: `${source.origin}/video.mp4` });
    await world.later(MINUTE);
    expect(await world.firings(rule)).toEqual(['1: reposted']);
  },
);

test('a failed download wakes its rules, or is repeated', async () => {
  world.flow.file = async () => ({ found: 'none', why: say('platform_without_files', { platform: 'Toy' }) });
  await world.db.execute(
    `create function break_wake() returns trigger language plpgsql as $$ begin
       if old.due_at is null and new.due_at is not null then raise exception 'broken'; end if; return new; end $$`,
  );
  await world.db.execute(
    'create trigger break_wake before update on firing for each row execute function break_wake()',
  );
  const rule = await found();
  expect(world.errors.splice(0)).not.toEqual([]);
  await world.db.execute('drop function break_wake cascade');
  await world.later(2 * MINUTE);
  expect(await world.firings(rule)).toEqual(['1: skipped no_file']);
});

test('no file is fetched for a rule that was deleted', async () => {
  serve = (response) => void response.writeHead(500).end();
  const rule = await found();
  await world.db.execute('delete from rule where id = $1', [rule]);
  const before = source.requests.length;
  await world.later(HOUR);
  expect(source.requests).toHaveLength(before);
});

test("a deleted rule's file can be fetched for another", async () => {
  serve = (response) => void response.writeHead(500).end();
  const first = await found();
  await world.db.execute('delete from rule where id = $1', [first]);
  await world.later(HOUR);
  expect(await world.db.query('select state from source_file')).toEqual([]);
  serve = send(await makeVideo());
  const second = await selectAll();
  expect(await world.firings(second)).toEqual(['1: reposted']);
});

test.each([
  ['failures of the platform', { kind: 'transient', detail: sayTimeline('access_ended') }],
  ['a missing permission', { kind: 'rejected', what: 'permission', detail: sayTimeline('access_ended') }],
] as const)('%s do not bind the next rule', async (_, failure) => {
  world.flow.file = () => Promise.reject(new PlatformError(failure));
  const first = await found();
  for (let round = 0; round < 9; round++) await world.later(HOUR);
  expect(await world.firings(first)).toEqual(['1: skipped no_file']);
  serve = send(await makeVideo());
  world.flow.file = async () => ({ found: 'file', url: `${source.origin}/video.mp4` });
  expect(await world.firings(await selectAll())).toEqual(['1: reposted']);
});

test('a rejected file is fetched once for all rules', async () => {
  serve = send(await makeVideo({ width: 320, height: 180 }));
  await found();
  expect(await world.firings(await selectAll())).toEqual(['1: skipped file_rejected']);
  expect(source.requests).toHaveLength(1);
});

/** Adds a second rule that reposts all older posts of the source. @returns its id */
async function selectAll() {
  const rule = await world.rule(userId, a as AccountRow, [await world.account(userId)]);
  const { posts } = await world.catalog(userId, a as AccountRow);
  await world.select(rule, { order: 'oldest', perDay: 1, items: posts.map(({ id }) => id) });
  await world.later(HOUR);
  return rule;
}

describe('the external downloader', () => {
  const scripted = (script: string) =>
    createDownloader(
      { program: process.execPath, args: ['-e', script, '{url}', '{file}'] },
      world.storage.scratch,
      provided('tools').limiter,
    );
  const post = { remoteId: '1', file: null, url: 'https://video.example/1' };
  const someone = { userId: 'someone', signal: new AbortController().signal };

  test('fetches the video of a post without a file', async () => {
    const video = await makeVideo();
    // The world's platform is federated, so its posts are downloaded only if the test says otherwise.
    world.download.run = scripted(`require('fs').copyFileSync(${JSON.stringify(video)}, process.argv[2])`);
    const file = await world.download.run('https://video.example/1', someone);
    expect(file.bytes).toBe((await stat(video)).size);
  });

  test('is never used for servers that users name', async () => {
    world.download.run = scripted('process.exit(1)');
    const rule = await found(post);
    expect(await world.firings(rule)).toEqual(['1: skipped no_file']);
  });

  test.each([
    ['its last words', `console.error('warning\\nThis video is private.'); process.exit(1)`, 'This video is private.'],
    ['its exit code', 'process.exit(3)', 'exit code 3'],
    ['a missing file', '', 'exit code 0'],
  ])('reports %s', async (_, script, reason) => {
    const failed = scripted(script)('https://video.example/1', someone);
    await expect(failed).rejects.toMatchObject({ name: 'DownloaderFailed', reason });
  });

  test('gets no address that looks like an option', async () => {
    const failed = scripted('')('--exec=x', someone);
    await expect(failed).rejects.toMatchObject({ reason: 'the post has no web address' });
  });
});

describe('MEDIA_DOWNLOADER', () => {
  test('is split at spaces outside quotes', () => {
    expect(parseDownloader('yt-dlp -o "{file}" --format "best ext=mp4" {url}')).toEqual({
      program: 'yt-dlp',
      args: ['-o', '{file}', '--format', 'best ext=mp4', '{url}'],
    });
  });

  test.each(['', 'yt-dlp', 'yt-dlp {url}', 'yt-dlp {file}', '{url} {file} "', '{url} {file}'])(
    'rejects %j',
    (command) => {
      expect(() => parseDownloader(command)).toThrow('MEDIA_DOWNLOADER must be');
    },
  );
});

test('a slow file is read at most three times', async () => {
  serve = send(await makeVideo());
  const { flow } = world;
  let reads = 0;
  flow.file = () => {
    reads++;
    return Promise.reject(apiError('file_read_timed_out'));
  };
  const rule = await found();
  expect(await world.firings(rule)).toEqual(['1: waiting file_fetching']);
  for (let hour = 0; hour < 4; hour++) await world.later(HOUR);
  expect([reads, await world.firings(rule)]).toEqual([3, ['1: skipped file_rejected']]);
});

test('a file that was read too slowly once is reposted', async () => {
  serve = send(await makeVideo());
  world.flow.file = () => Promise.reject(apiError('file_read_timed_out'));
  const rule = await found();
  world.flow.file = async () => ({ found: 'file', url: `${source.origin}/video.mp4` });
  await world.later(HOUR);
  expect(await world.firings(rule)).toEqual(['1: reposted']);
});
