/**
 * The watching suite of a connector: lists of posts that move, lie, lag and end early, and files. It reads a simulator
 * that is posted to from the phone. A platform's driver names the list's requests.
 */
import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import * as vitest from 'vitest';
import { expect } from 'vitest';
import { type PhoneCall, postFromPhone } from '../../../sandbox/test/harness/phone.ts';
import type { Session, WatchedPost, WatchFlow, WatchPosition, Work } from '../../src/connectors/contract.ts';
import { HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import { isEdited } from '../../src/lineage/early-edit.ts';
import { type HttpResponse, NetworkError } from '../../src/outbound/http-client.ts';
import { type Json, parseJson } from '../../src/outbound/json.ts';
import { PlatformError } from '../../src/outbound/platform-error.ts';
import type { Call } from '../connectors/drive.ts';
import { type Drive, walkThrough } from '../connectors/walk.ts';
import { messageOf } from '../harness/message.ts';
import type { RunningSimulator } from '../harness/simulator.ts';
import { FAULTS, type FaultCase, faultIn } from './connector.ts';

/** What the suite needs of a drive (`startDrive`). */
export type WatchDrive = Drive & RunningSimulator & { noResponse(at: 'before' | 'after'): Fault };

export interface WatchSuite {
  /** What defines the tests. Default: vitest. */
  runner?: Pick<typeof vitest, 'describe' | 'test'>;
  platform: string;
  /** Starts a simulator, and prepares a publish on the account that is watched. Closed by the caller. */
  start(): Promise<{ drive: WatchDrive; work: Work }>;
  /** The account's name at the phone. */
  username: string;
  /** Matches the requests of {@link WatchFlow.list} that return posts. */
  isList(call: Call): boolean;
  /** Maximum number of posts on a page. */
  pageSize: number;
  /** A long text that the platform allows, if a page of them has more than 1 MiB. */
  longText?: string;
  /** Usual lag of the lists, in ms. Default: 0. */
  lagMs?: number;
  /** Precision of the platform's times, in ms. Default: 1 s. */
  precisionMs?: number;
  /** False if the platform ignores the claimed time of a post. */
  backdates?: boolean;
  /** False if the phone cannot limit who sees a post. */
  limits?: boolean;
  /** False if a page cannot be read again, because reading it confirms it. */
  rereads?: boolean;
  /** False if the platform does not list the posts that we make. */
  listsOurs?: boolean;
  /** True if the platform keeps the files of deleted posts. */
  keepsFiles?: boolean;
  /** Names of the faults that the connector recovers from by itself. Default: none. */
  recovers?: readonly string[];
}

/** Texts that some platforms show in another form than they were sent. */
const OUR_TEXTS = [
  'With @kim@sea.example at https://example.org/a?b=1&c=2#d',
  'First line\nSecond line #Sea #b2b 🏃 & <3 "x"',
  'Ein Café, 東京',
];

/** Ends a read that never ends. */
const MAX_PAGES = 50;

interface Watching {
  drive: WatchDrive;
  work: Work;
  flow: WatchFlow;
  post(call?: PhoneCall): Promise<string>;
  remove(id: string): Promise<void>;
  /** Reads one page. */
  page(cursor?: string, session?: Session, mark?: WatchPosition['mark']): ReturnType<WatchFlow['list']>;
  /** Reads the pages from a cursor on. */
  read(cursor?: string): Promise<WatchedPost[]>;
  /** Advances the clock beyond the lag of the lists. */
  settle(): void;
}

async function begin(suite: WatchSuite): Promise<Watching> {
  const { drive, work } = await suite.start();
  const { clock, connector } = drive;
  const { watch: flow, canonicalId } = connector;
  if (!flow) throw new Error(`${suite.platform} has no watch.`);
  const phone = drive.simulator.phone;
  if (!phone) throw new Error(`The simulator of ${suite.platform} has no phone.`);
  const page: Watching['page'] = (cursor = '', session = work.session, mark = null) =>
    flow.list(session, { cursor, since: clock.now - 48 * HOUR, mark });
  return {
    ...{ drive, work, flow, page },
    post: async (call) => canonicalId((await postFromPhone(drive, suite.username, call)).id),
    remove: (id) => phone.remove(suite.username, id),
    async read(from = '') {
      const posts: WatchedPost[] = [];
      let mark: WatchPosition['mark'] = null;
      for (let cursor = from, pages = 0; pages < MAX_PAGES; pages++) {
        const found = await page(cursor, work.session, mark);
        posts.push(...found.posts);
        if (found.next === '' && !found.more) return posts;
        cursor = found.next;
        mark = found.mark ?? mark;
      }
      throw new Error(`The list has more than ${MAX_PAGES} pages.`);
    },
    settle() {
      clock.now += (suite.lagMs ?? 0) + SECOND;
    },
  };
}

const idsOf = (posts: readonly WatchedPost[]) => posts.map(({ remoteId }) => remoteId);
const sorted = (ids: readonly string[]) => [...ids].sort();

/** Defines the tests. */
export function describeWatch(suite: WatchSuite): void {
  const { describe, test } = suite.runner ?? vitest;
  describe(`${suite.platform} watch`, () => {
    describeLists(suite);
    describeOrder(suite);
    describeHostileItems(suite);
    test.each(FAULTS.filter(({ releaseAfterMs }) => releaseAfterMs === undefined))(
      'a list with $name fails in words',
      async ({ name, fault }) => {
        const { drive, page, post, settle, work } = await begin(suite);
        const id = await post();
        settle();
        const given = faultIn({ simulator: drive }, { name, fault: withoutTimeout(drive, fault) });
        const handle = drive.faults.add({ when: suite.isList, times: 1, fault: given });
        const { session } = work;
        const result = await page('', session).catch((error: unknown) => error);
        expect(handle.hits()).toBe(1);
        if (given.kind === 'slow-body' || suite.recovers?.includes(name))
          expect(result).toMatchObject({ posts: [{ remoteId: id }] });
        else expect(named(result), name).toMatch(/^(?:PlatformError: .{10,}|NetworkError)/s);
        if (result instanceof PlatformError) expect(result.failure.detail.text.length).toBeLessThan(1_000);
        // What is broken once is not broken for good.
        if (!['tokenExpired', 'reconnect'].includes(result instanceof PlatformError ? result.failure.kind : ''))
          expect(idsOf((await page()).posts)).toEqual([id]);
      },
    );
    test('the file is the one that the phone posted', async () => {
      const { drive, flow, post, read, settle, work } = await begin(suite);
      const bytes = Buffer.alloc(200_000, 'filmed by hand at dusk');
      const id = await post({ bytes });
      settle();
      const found = (await read()).find(({ remoteId }) => remoteId === id);
      if (!flow.file) return expect(found?.file).toBeNull();
      // As it is stored.
      const file = JSON.parse(JSON.stringify(found?.file));
      const where = await flow.file(work.session, { remoteId: id, file });
      if (where.found !== 'file') throw new Error(`No file: ${JSON.stringify(where)}`);
      const response = await fetch(where.url, { ...(where.headers && { headers: where.headers }) });
      expect(response.status).toBe(200);
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
      if (suite.keepsFiles) return;
      await phoneRemoves(drive, suite.username, id);
      // A young post may only be late.
      drive.clock.now += 10 * MINUTE;
      expect((await flow.file(work.session, { remoteId: id, file })).found).not.toBe('file');
    });
  });
}

function describeLists(suite: WatchSuite): void {
  const { pageSize, rereads = true, listsOurs = true, precisionMs = SECOND, longText } = suite;
  const count = 2 * pageSize + 1;
  const { test } = suite.runner ?? vitest;

  if (longText !== undefined)
    test('a full page of long texts is read', async () => {
      const { post, page, settle } = await begin(suite);
      for (let i = 0; i < pageSize; i++) await post({ text: longText });
      settle();
      const { posts } = await page();
      expect(posts.map(({ text }) => text.length)).toEqual(Array.from({ length: pageSize }, () => longText.length));
      expect(pageSize * Buffer.byteLength(longText)).toBeGreaterThan(1024 * 1024);
    });

  test('every post is read once, over all pages', async () => {
    const { drive, post, read, settle } = await begin(suite);
    const began = drive.clock.now;
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      ids.push(await post({ text: `post ${i}` }));
      drive.clock.now += SECOND;
    }
    settle();
    const posts = await read();
    expect(sorted(idsOf(posts))).toEqual(sorted(ids));
    expect(drive.requests.filter(suite.isList).length).toBeGreaterThan(2);
    for (const found of posts) expect(oddity(found, drive.connector.canonicalId)).toBeNull();
    const byId = new Map(posts.map((found) => [found.remoteId, found]));
    for (const [i, id] of ids.entries()) {
      const found = byId.get(id);
      expect(found).toMatchObject({ text: `post ${i}`, isPublic: true });
      expect(found?.problem).toBeUndefined();
      if (found?.publishedAt != null)
        expect(Math.abs(found.publishedAt - (began + i * SECOND))).toBeLessThanOrEqual(precisionMs);
      expect([null, 31_000]).toContain(found?.durationMs ?? null);
      expect([null, 1080]).toContain(found?.width ?? null);
      expect([null, 1920]).toContain(found?.height ?? null);
    }
  });

  test('posts of the same moment are all read', async () => {
    const { post, read, settle } = await begin(suite);
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push(await post({ text: 'the same' }));
    settle();
    expect(sorted(idsOf(await read()))).toEqual(sorted(ids));
  });

  test.runIf(listsOurs)('our own posts have the id of the publish', async () => {
    const { drive, post, read, settle, work } = await begin(suite);
    const before = await post({ text: 'before' });
    const walk = await walkThrough(drive, work);
    expect(walk.state).toBe('posted');
    const after = await post({ text: 'after' });
    settle();
    const own = walk.published?.remoteId ?? '';
    expect(sorted(idsOf(await read()))).toEqual(sorted([before, own, after]));
  });

  test.runIf(listsOurs)('our own posts are not shown as edited', async () => {
    const { drive, read, settle, work } = await begin(suite);
    for (const text of OUR_TEXTS) {
      const walk = await walkThrough(drive, { ...work, post: { ...work.post, targetId: text, text } });
      expect(walk.state).toBe('posted');
      settle();
      const own = (await read()).find(({ remoteId }) => remoteId === walk.published?.remoteId);
      expect(own).toBeDefined();
      expect([own?.text, isEdited(text, own?.text ?? '')]).toEqual([own?.text, false]);
    }
  });

  test('line breaks, markup and signs of a caption are kept', async () => {
    const { post, read, settle } = await begin(suite);
    const text = 'Run & <b>fun</b> "today"\n\nat dusk 🏃 #sea\n1 < 2';
    await post({ text });
    settle();
    expect(await read()).toMatchObject([{ text }]);
  });

  test.runIf(rereads)('a deletion between pages hides no other post', async () => {
    const { drive, page, post, read, remove, settle } = await begin(suite);
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      ids.push(await post({ text: `post ${i}` }));
      drive.clock.now += SECOND;
    }
    settle();
    const first = await page();
    const seen = idsOf(first.posts);
    const unseen = ids.filter((id) => !seen.includes(id));
    // The page's edges, to which a cursor may refer, and one that is not read yet.
    const gone = [seen[0], seen.at(-1), unseen.at(-1)].filter((id) => id !== undefined);
    for (const id of gone) await remove(id);
    const rest = idsOf(await read(first.next));
    for (const id of rest) expect(ids).toContain(id);
    expect(sorted(idsOf(await read()))).toEqual(sorted(ids.filter((id) => !gone.includes(id))));
  });
}

function describeOrder(suite: WatchSuite): void {
  const { pageSize, backdates = true, limits = true, rereads = true, precisionMs = SECOND } = suite;
  const { test } = suite.runner ?? vitest;

  test('a post that becomes visible late is read then', async () => {
    const { drive, post, read, settle } = await begin(suite);
    const late = await post({ text: 'late', hiddenMs: 10 * MINUTE });
    const others: string[] = [];
    for (let i = 0; i < 3; i++) {
      drive.clock.now += SECOND;
      others.push(await post({ text: `other ${i}` }));
    }
    settle();
    expect(sorted(idsOf(await read()))).toEqual(sorted(others));
    drive.clock.now += 10 * MINUTE;
    settle();
    expect(sorted(idsOf(await read()))).toEqual(sorted([late, ...others]));
  });

  test.runIf(backdates)('posts whose times are out of order are read', async () => {
    const { drive, post, read, settle } = await begin(suite);
    const { now } = drive.clock;
    const times = [now, now - 3 * HOUR, now - MINUTE, now - 47 * HOUR, now - HOUR];
    const ids: string[] = [];
    for (const publishedAt of times) ids.push(await post({ publishedAt, text: String(publishedAt) }));
    // Older than what is asked for, but not the end of the list.
    const old = await post({ publishedAt: now - 72 * HOUR, text: String(now - 72 * HOUR) });
    for (let i = 0; i < pageSize; i++) ids.push(await post({ publishedAt: now, text: String(now) }));
    settle();
    const posts = await read();
    expect(sorted(idsOf(posts).filter((id) => id !== old))).toEqual(sorted(ids));
    for (const { text, publishedAt } of posts)
      if (publishedAt !== null) expect(Math.abs(publishedAt - Number(text))).toBeLessThanOrEqual(precisionMs);
  });

  test.runIf(limits)('a post with a limited audience is not public', async () => {
    const { post, read, settle } = await begin(suite);
    const limited = await post({ audience: 'limited' });
    const open = await post();
    settle();
    const posts = await read();
    expect(idsOf(posts.filter(({ isPublic }) => isPublic))).toEqual([open]);
    // Most platforms do not even list it.
    for (const { remoteId } of posts) expect([limited, open]).toContain(remoteId);
  });

  test.runIf(rereads)('a page that repeats is passed on', async () => {
    const { page, post, settle, work } = await begin(suite);
    for (let i = 0; i < pageSize + 1; i++) await post({ text: `post ${i}` });
    settle();
    const recorded = await recordList(suite, { page, work });
    const session = changed(work.session, { http: replay(suite, work.session, recorded) });
    const first = await page('', session);
    expect(first.next).not.toBe('');
    const again = await page(first.next, session);
    for (const id of idsOf(again.posts)) expect(idsOf(first.posts)).toContain(id);
  });
}

/** Values that no field of a post should have. */
const HOSTILE: readonly Json[] = [
  ...[null, true, -1, 1e308, '', 'unheard_of', 'a\u0000b\ud800\u001b[31m', 'x'.repeat(100_000)],
  ...[[], {}, [null], { a: { b: [] } }, ['x']],
];

function describeHostileItems(suite: WatchSuite): void {
  const { test } = suite.runner ?? vitest;

  test('an odd item neither throws nor affects the others', async () => {
    const { drive, page, post, settle, work } = await begin(suite);
    const ids: string[] = [];
    for (const text of ['one', 'two', 'three']) {
      ids.push(await post({ text }));
      drive.clock.now += SECOND;
    }
    settle();
    const recorded = await recordList(suite, { page, work });
    const body = parseJson(recorded.text);
    const items = listOf(body, ids.length);
    if (!items) throw new Error('The response has no list of the three posts.');
    const usual = (await page('', changed(work.session, { http: replay(suite, work.session, recorded) }))).posts;
    expect(usual).toHaveLength(3);
    const odd: string[] = [];
    for (const path of pathsIn(at(body, [...items, 1]), [...items, 1]))
      for (const value of [...HOSTILE, undefined]) {
        const http = replay(suite, work.session, { ...recorded, text: JSON.stringify(replaced(body, path, value)) });
        const what = `${path.join('.')} = ${JSON.stringify(value)?.slice(0, 40)}`;
        try {
          const { posts } = await page('', changed(work.session, { http }));
          const kept = [usual[0], usual[2]].filter((one) => posts.some((other) => same(one, other)));
          if (kept.length < 2) odd.push(`${what}: another post is lost or changed`);
          const strange = posts.map((each) => oddity(each, drive.connector.canonicalId)).find((each) => each !== null);
          if (strange) odd.push(`${what}: ${strange}`);
        } catch (error) {
          odd.push(`${what}: ${String(error)}`);
        }
      }
    expect(odd).toEqual([]);
  });

  test('an odd response becomes a list or a PlatformError', async () => {
    const { drive, page, post, settle, work } = await begin(suite);
    await post();
    settle();
    const recorded = await recordList(suite, { page, work });
    const body = parseJson(recorded.text);
    const odd: string[] = [];
    const test = async (text: string, what: string) => {
      const http = replay(suite, work.session, { ...recorded, text });
      const result = await page('', changed(work.session, { http })).catch((error: unknown) => error);
      if (result instanceof PlatformError) return;
      if (result instanceof Error) odd.push(`${what}: ${String(result)}`);
      else
        for (const each of (result as { posts: WatchedPost[] }).posts) {
          const strange = oddity(each, drive.connector.canonicalId);
          if (strange) odd.push(`${what}: ${strange}`);
        }
    };
    for (const path of pathsIn(body, []))
      for (const value of [...HOSTILE, undefined])
        await test(JSON.stringify(replaced(body, path, value)) ?? '', `${path.join('.')} = ${JSON.stringify(value)}`);
    for (const text of ['', 'null', '7', '"x"', '{"a":', '<html>', '[null]', '[[]]']) await test(text, text);
    expect(odd).toEqual([]);
    // These are no lists at all.
    for (const text of ['', 'null', '7', '{"a":', '<html>']) {
      const http = replay(suite, work.session, { ...recorded, text });
      await expect(page('', changed(work.session, { http })), text).rejects.toThrow(PlatformError);
    }
  });
}

/** Ends a call without a response when its request has arrived, so that no speed of the machine decides. */
function withoutTimeout(drive: WatchDrive, fault: FaultCase['fault']): FaultCase['fault'] {
  if (typeof fault === 'function') return fault;
  if (fault.kind === 'timeout-before') return drive.noResponse('before');
  return fault.kind === 'timeout-after' ? drive.noResponse('after') : fault;
}

function named(result: unknown): string {
  if (result instanceof PlatformError) return `PlatformError: ${result.failure.detail.text}`;
  return result instanceof NetworkError ? 'NetworkError' : String(result);
}

async function phoneRemoves({ simulator }: WatchDrive, username: string, id: string): Promise<void> {
  await simulator.phone?.remove(username, id);
}

/** A session with changes. Getters of the original stay. */
function changed(session: Session, changes: Partial<Session>): Session {
  return Object.create(session, Object.getOwnPropertyDescriptors(changes)) as Session;
}

/** Reads the first page, and returns the response that has the posts. */
async function recordList(suite: WatchSuite, { page, work }: Pick<Watching, 'page' | 'work'>): Promise<HttpResponse> {
  let recorded: HttpResponse | null = null;
  const http: Session['http'] = async (request) => {
    const response = await work.session.http(request);
    if (suite.isList(callOf(suite, request))) recorded = response;
    return response;
  };
  await page('', changed(work.session, { http }));
  if (!recorded) throw new Error('No request of the list.');
  return recorded;
}

/** A client that answers requests of the list with this text, and sends others. */
function replay(suite: WatchSuite, session: Session, { status, headers, text }: HttpResponse): Session['http'] {
  const tryJson = () => {
    try {
      return parseJson(text);
    } catch {
      return null;
    }
  };
  const json = () => {
    const found = tryJson();
    if (found === null && text.trim() !== 'null')
      throw new PlatformError({ kind: 'transient', detail: messageOf('No JSON.') });
    return found;
  };
  return async (request) =>
    suite.isList(callOf(suite, request)) ? { status, headers, text, json, tryJson } : session.http(request);
}

/** The path below the simulator's prefix, without the query, as the matchers of drivers expect it. */
function callOf({ platform }: WatchSuite, { method, url }: { method: string; url: string }): Call {
  const path = new URL(url).pathname;
  const prefix = `/sandbox/${platform}`;
  return { method, path: path.startsWith(prefix) ? path.slice(prefix.length) : path };
}

type Path = readonly (string | number)[];

function at(value: Json, path: Path): Json {
  return path.reduce<Json>((here, key) => (here as Record<string | number, Json>)[key] ?? null, value);
}

/** Path of the outermost list of this length. */
function listOf(value: Json, length: number): Path | null {
  let level: Path[] = [[]];
  while (level.length > 0) {
    const found = level.find(
      (path) => (at(value, path) as unknown[])?.length === length && Array.isArray(at(value, path)),
    );
    if (found) return found;
    level = level.flatMap((path) => childrenOf(at(value, path)).map((key) => [...path, key]));
  }
  return null;
}

function childrenOf(value: Json): (string | number)[] {
  if (Array.isArray(value)) return value.map((_, index) => index);
  return value !== null && typeof value === 'object' ? Object.keys(value) : [];
}

/** All paths in a value, its own included. */
function pathsIn(value: Json, path: Path): Path[] {
  return [
    path,
    ...childrenOf(value).flatMap((key) => pathsIn((value as Record<string, Json>)[key] ?? null, [...path, key])),
  ];
}

/** A copy with another value at a path; undefined removes it. */
function replaced(value: Json, [key, ...rest]: Path, by: Json | undefined): Json | undefined {
  if (key === undefined) return by;
  if (Array.isArray(value)) {
    const copy = [...value];
    const next = replaced(copy[Number(key)] ?? null, rest, by);
    copy.splice(Number(key), 1, ...(next === undefined ? [] : [next]));
    return copy;
  }
  const { [key]: old, ...others } = value as Record<string, Json>;
  const next = replaced(old ?? null, rest, by);
  return next === undefined ? others : { ...(value as Record<string, Json>), [key]: next };
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The end of the year 9999. PostgreSQL stores little more. */
const MAX_TIME = Date.UTC(10_000, 0);

/** What is wrong with the form of a post; null if nothing. */
function oddity(post: WatchedPost, canonicalId: (id: string) => string): string | null {
  const isCount = (value: number | null) => value === null || (Number.isInteger(value) && value > 0 && value < 2 ** 31);
  const rules: Record<string, boolean> = {
    remoteId: typeof post.remoteId === 'string' && post.remoteId !== '' && canonicalId(post.remoteId) === post.remoteId,
    account: post.account === undefined || (typeof post.account === 'string' && post.account !== ''),
    publishedAt: post.publishedAt === null || Math.abs(post.publishedAt) < MAX_TIME,
    text: typeof post.text === 'string',
    url: post.url === null || /^https?:\/\//.test(post.url),
    durationMs: isCount(post.durationMs),
    width: isCount(post.width),
    height: isCount(post.height),
    isPublic: typeof post.isPublic === 'boolean',
    file: post.file === null || (typeof post.file === 'object' && !Array.isArray(post.file)),
    problem: post.problem === undefined || typeof post.problem.text === 'string',
  };
  const broken = Object.entries(rules).find(([, holds]) => !holds)?.[0];
  return broken ? `${broken} is ${JSON.stringify(post[broken as keyof WatchedPost])?.slice(0, 60)}` : null;
}
