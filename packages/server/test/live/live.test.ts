import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { APPLICATION_NAME } from '../../src/live/link.ts';
import { createLive } from '../../src/live/live.ts';
import { deleteUser, suspendUser } from '../../src/users/service.ts';
import { type AccountRow, addAccount } from '../harness/rows.ts';
import type { SessionUser, TestService } from '../harness/service.ts';
import { addHistory, addReadyAccount, queuePost, startPostService } from '../post/world.ts';
import { type EventReader, openEvents } from './event-reader.ts';

let service: TestService;
let user: SessionUser;
let account: AccountRow;
const readers: EventReader[] = [];
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newSession();
  account = await addReadyAccount(service.db, user.userId);
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});
afterAll(() => service.close());

/** Opens a stream that receives all further changes. */
async function follow({ cookie }: Pick<SessionUser, 'cookie'> = user, url = service.url): Promise<EventReader> {
  const reader = await openEvents(url, cookie);
  readers.push(reader);
  await reader.until({ type: 'resync' });
  return reader;
}

const post = (owner: { userId: string } = user, to = account) => queuePost(service, owner.userId, [to]);

/** A change that is announced after all earlier ones. */
async function sentinel(reader: EventReader, userId: string): Promise<void> {
  const { id } = await addAccount(service.db, userId);
  await reader.until({ type: 'account', id });
}

test('a stream has the headers of an event stream', async () => {
  const response = await fetch(`${service.url}/api/v1/events`, { headers: { cookie: user.cookie } });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-accel-buffering')).toBe('no');
  await response.body?.cancel();
  const head = await fetch(`${service.url}/api/v1/events`, { method: 'HEAD', headers: { cookie: user.cookie } });
  expect(head.status).toBe(200);
  await expect.poll(() => service.context.live.count()).toBe(0);
});

test('changes of posts, accounts and rules are announced', async () => {
  const reader = await follow();
  const id = await post();
  await reader.until({ type: 'post', id });
  await service.db.execute(`update target set state = 'working', version = version + 1 where post_id = $1`, [id]);
  await reader.until({ type: 'post', id });
  await service.db.execute(`update account set status = 'EXPIRED' where id = $1`, [account.id]);
  await reader.until({ type: 'account', id: account.id });
  const other = await addReadyAccount(service.db, user.userId);
  const own = await addReadyAccount(service.db, user.userId);
  const rule = (await user.post('/repost/add', { from: own.id, to: [other.id] })).body.id;
  await reader.until({ type: 'rule', id: rule });
  await user.post('/repost/pause', { id: rule, isPaused: true });
  await reader.until({ type: 'rule', id: rule });
  await service.db.execute('delete from rule_destination where rule_id = $1', [rule]);
  await reader.until({ type: 'rule', id: rule });
  await service.db.execute('delete from post where id = $1', [id]);
  await reader.until({ type: 'post', id });
});

test('progress of a conversion is a change of its posts', async () => {
  const id = await post();
  await service.db.execute(
    `with made as (
       insert into rendition (media_id, spec_key, spec, storage_key) select media_id, 'x', '{}', $1::uuid::text from post where id = $1::uuid
       returning id)
     update target set rendition_id = made.id from made where post_id = $1::uuid`,
    [id],
  );
  const reader = await follow();
  await service.db.execute('update rendition set progress = 0.5 where storage_key = $1', [id]);
  await reader.until({ type: 'post', id });
});

test('a claimed lease is not a change', async () => {
  const reader = await follow();
  const before = reader.events.length;
  await service.db.execute('update account set due_at = app_now(), fence = fence + 1 where id = $1', [account.id]);
  await sentinel(reader, user.userId);
  expect(reader.events.slice(before)).toHaveLength(1);
});

test('users get no events of other users', async () => {
  const other = await service.newSession();
  const [mine, theirs] = [await follow(), await follow(other)];
  const id = await post();
  await mine.until({ type: 'post', id });
  await sentinel(theirs, other.userId);
  expect(theirs.events.map(({ type }) => type)).toEqual(['resync', 'account']);
});

test('nothing is announced for users without a stream', async () => {
  const listener = service.db.another(1);
  const { client, release } = await listener.connect();
  const heard: string[] = [];
  client.on('notification', ({ payload }) => heard.push(payload ?? ''));
  await client.query('listen reelay_live');
  const other = await service.newSession();
  const reader = await follow(other);
  await post();
  await sentinel(reader, other.userId);
  await client.query('select 1');
  expect(heard.filter((payload) => !payload.startsWith(other.userId))).toEqual([]);
  expect(heard).not.toEqual([]);
  release(true);
});

test('a change in another process arrives', async () => {
  const second = await startPostService({ config: { databaseUrl: service.db.url } });
  try {
    // The sessions of the first service are signed with another secret.
    const there = await openStream(second);
    const [first] = [await follow()];
    const id = await post();
    await first.until({ type: 'post', id });
    expect(await there.next('post')).toContain(id);
    there.stream.destroy();
  } finally {
    await second.close();
  }
});

/** Opens a stream of the user in another process. */
async function openStream({ context }: TestService) {
  const [session] = await service.db.query<{ id: string }>('select id from auth.session where user_id = $1', [
    user.userId,
  ]);
  const stream = context.live.open({ userId: user.userId, sessionId: session?.id ?? '' });
  stream.setEncoding('utf8');
  let text = '';
  stream.on('data', (chunk: string) => {
    text += chunk;
  });
  const next = async (type: string) => {
    await expect.poll(() => text, { timeout: 60_000, interval: 10 }).toContain(`"type":"${type}"`);
    return text;
  };
  await next('resync');
  return { stream, next };
}

test('a lost listening connection is replaced and resynchronized', async () => {
  const reader = await follow();
  const cut = await service.db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()`,
    [APPLICATION_NAME],
  );
  expect(cut).toHaveLength(1);
  await reader.until({ type: 'resync' });
  const id = await post();
  await reader.until({ type: 'post', id });
});

test('a transaction from before the stream is waited for', async () => {
  const earlier = service.db.another(1);
  const { client, release } = await earlier.connect();
  await client.query('begin');
  await client.query(`update account set username = 'new' where id = $1`, [account.id]);
  const reader = await openEvents(service.url, user.cookie);
  readers.push(reader);
  const registered = 'select from live_user where user_id = $1';
  await expect.poll(() => service.db.query(registered, [user.userId]), { timeout: 60_000 }).toHaveLength(1);
  const other = await service.newUser();
  for (let round = 0; round < 5; round++) await addAccount(service.db, other.userId);
  expect(reader.events).toEqual([]);
  await client.query('commit');
  release();
  await reader.until({ type: 'resync' });
});

test('a resync follows a jump of the database’s clock', async () => {
  const timings = { renewMs: 50, retryMs: 10 };
  const live = createLive({ db: service.db, connection: service.db.connection, log: service.context.log, timings });
  const stream = live.open({ userId: user.userId, ...(await sessionOf(user.userId)) });
  const events: string[] = [];
  stream.setEncoding('utf8').on('data', (text: string) => events.push(...text.split('\n\n').filter(Boolean)));
  const resyncs = () => events.filter((event) => event.includes('resync')).length;
  await expect.poll(resyncs).toBe(1);
  await service.db.clock.advance(130_000);
  await expect.poll(resyncs).toBe(2);
  stream.destroy();
  await live.close();
});

test('the connection is closed when nobody listens', async () => {
  const timings = { renewMs: 20, retryMs: 10 };
  const live = createLive({ db: service.db, connection: service.db.connection, log: service.context.log, timings });
  const { sessionId } = await sessionOf(user.userId);
  const stream = live.open({ userId: user.userId, sessionId });
  await once(stream, 'readable');
  const connections = () =>
    service.db.query(`select from pg_stat_activity where application_name = $1 and datname = current_database()`, [
      APPLICATION_NAME,
    ]);
  await expect.poll(connections, { timeout: 60_000 }).not.toEqual([]);
  stream.destroy();
  await expect.poll(() => live.count()).toBe(0);
  await live.close();
});

async function sessionOf(userId: string): Promise<{ sessionId: string }> {
  const [row] = await service.db.query<{ id: string }>('select id from auth.session where user_id = $1', [userId]);
  return { sessionId: row?.id ?? '' };
}

describe('a stream ends', () => {
  test('at sign-out, but not for other sessions', async () => {
    const second = await service.client.call('POST', '//api/auth/sign-in/email', {
      json: { email: user.email, password: user.password },
      headers: { origin: service.url },
    });
    const cookie = second.headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0])
      .join('; ');
    const [first, other] = [await follow(), await follow({ cookie })];
    await user.call('POST', '//api/auth/sign-out', { json: {}, headers: { origin: service.url } });
    await first.ended;
    const id = await post();
    await other.until({ type: 'post', id });
    expect((await openEvents(service.url, user.cookie)).status).toBe(401);
  });

  test('when the user is suspended', async () => {
    const reader = await follow();
    await suspendUser(service.db, user.email);
    await reader.ended;
  });

  test('when the user is deleted', async () => {
    const gone = await service.newSession();
    const reader = await openEvents(service.url, gone.cookie);
    await reader.until({ type: 'resync' });
    const { client, release } = await service.db.connect();
    const announced: string[] = [];
    client.on('notification', ({ payload = '' }) => announced.push(payload));
    await client.query('listen reelay_live');
    await deleteUser(service.db, gone.email);
    // The periodic check would end it too, but later.
    await client.query('select 1');
    release(true);
    expect(announced).toContainEqual(expect.stringContaining(`${gone.userId} session`));
    await reader.ended;
  });

  test('when the session has expired', async () => {
    const reader = await follow();
    await service.context.live.check();
    await service.db.execute(`update auth.session set expires_at = now() - interval '1 s' where user_id = $1`, [
      user.userId,
    ]);
    await service.context.live.check();
    await reader.ended;
  });

  test('when the service drains', async () => {
    const second = await startPostService();
    try {
      const reader = await openEvents(second.url, (await second.newSession()).cookie);
      await reader.until({ type: 'resync' });
      await second.drain();
      await reader.ended;
    } finally {
      await second.close();
    }
  });
});

test('a user’s oldest stream ends above the limit', async () => {
  const limits = { perUser: 2, total: 3 };
  const live = createLive({ db: service.db, connection: service.db.connection, log: service.context.log, limits });
  const session = { userId: user.userId, ...(await sessionOf(user.userId)) };
  const [first, second] = [live.open(session), live.open(session), live.open(session)];
  expect([first?.destroyed, second?.destroyed, live.count()]).toEqual([true, false, 2]);
  const other = await service.newSession();
  const theirs = { userId: other.userId, ...(await sessionOf(other.userId)) };
  live.open(theirs);
  expect(() => live.open(theirs)).toThrow(expect.objectContaining({ code: 'busy', extras: { retryAfter: 30 } }));
  live.drain();
  expect(() => live.open(theirs)).toThrow(expect.objectContaining({ code: 'draining' }));
  await live.close();
  expect(live.count()).toBe(0);
});

test('many changes at once are one resync', async () => {
  const reader = await follow();
  const before = reader.events.length;
  const entries = Array.from({ length: 300 }, (_, at) => ({ at }));
  await addHistory(service.db, user.userId, account, entries);
  await reader.until({ type: 'resync' });
  expect(reader.events.length - before).toBeLessThan(300);
});
