/** Failures of the database or the platform in the middle of work: no lane stays held, nothing is posted twice. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { simulator } from '@reelay/sandbox/platforms/tiktok/index.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { connector } from '../../src/connectors/tiktok/index.ts';
import { createDatabase } from '../../src/db/database.ts';
import { ReelayError } from '../../src/errors/reelay-error.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { LEASE_MS } from '../../src/publishing/lanes.ts';
import { createHeartbeat } from '../../src/publishing/worker/heartbeat.ts';
import { connectorOf } from '../harness/connectors.ts';
import { startDatabaseProxy } from '../harness/database-proxy.ts';
import { createWorld, pollPause, type World, type WorldOptions } from '../harness/world.ts';

let world: World | null = null;
let undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const step of undo.reverse()) await step();
  undo = [];
  await world?.close();
  world = null;
});

async function start(options: Partial<WorldOptions> = {}): Promise<World> {
  world = await createWorld({ connector, module: simulator, ...options });
  return world;
}

/** The publisher's statements, identified by unique text. */
const CLAIM = 'with candidate as';
const LOAD = 'as "lastTurnAt"';
const RENEWAL = 'renewed as (';
const RELEASE = 'select 1 from lane l join unnest';
const INIT = '/v2/post/publish/video/init/';

const leased = ({ db }: World) => db.query('select 1 from lane where lease_until is not null');

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await pollPause();
}

/** Injects the action into the first matching statements; one by default. */
function strike(words: string, action: () => Promise<void> | void, times = 1) {
  let struck = 0;
  return {
    struck: () => struck,
    beforeStatement(text: string) {
      if (struck >= times || !text.includes(words)) return;
      struck++;
      return action();
    },
  };
}

/** Connects a worker through a proxy that can make connections half-open. A response takes a few ms on loopback. */
async function proxied(w: World) {
  const proxy = await startDatabaseProxy(w.db.connection);
  const db = createDatabase({ connection: proxy.connection, size: 6, responseMs: 300 });
  undo.push(proxy.close, db.close);
  const hang = (words: string) => proxy.inject((sql) => sql.includes(words), { at: 'before', kind: 'hang' });
  return { db, proxy, hang };
}

/** The platform delays its response to the first request that opens an upload. */
function heldInit(w: World) {
  const reached = Promise.withResolvers<void>();
  const response = Promise.withResolvers<void>();
  w.simulator.faults.add({
    when: ({ path }) => path === INIT,
    times: 1,
    fault: {
      kind: 'pause',
      at: 'after',
      get hold() {
        reached.resolve();
        return response.promise;
      },
    },
  });
  const inits = () => w.simulator.requests.filter(({ path }) => path === INIT).length;
  return { reached: reached.promise, answer: response.resolve, inits };
}

describe('a claim', () => {
  test('whose targets cannot be loaded releases its lanes', async () => {
    const w = await start();
    const id = await w.post();
    const fault = strike(LOAD, () => {
      throw new ReelayError('database_unavailable');
    });
    const only = await w.worker(fault);
    await only.runUntilIdle().catch(() => {});
    await until(async () => (await leased(w)).length === 0);
    expect([fault.struck(), (await w.target(id)).state]).toEqual([1, 'scheduled']);
    await w.settle(only, id);
    expect(await w.target(id)).toMatchObject({ state: 'posted', crashes: 0 });
  });

  test('with one unreadable row runs the other lanes', async () => {
    const w = await start();
    const [poison, innocent] = [await w.post(), await neighbor(w)];
    const only = await w.worker({
      beforeStatement(text, [ids]) {
        // Like a statement that fails on one row: it fails for every batch with that row.
        if (text.includes(LOAD) && (ids as string[]).includes(poison)) throw new Error('invalid input');
      },
    });
    await only.runUntilIdle();
    expect((await w.target(innocent)).state).not.toBe('scheduled');
    expect((await w.target(poison)).state).toBe('scheduled');
  });

  test('without a response does not stop the next one', async () => {
    const w = await start();
    const id = await w.post();
    const { db, hang } = await proxied(w);
    const hit = hang(CLAIM);
    const only = await w.worker({ db });
    await only.start();
    await hit;
    expect(only.status().lastClaimAgeMs).toBeNull();
    await until(async () => (await w.target(id)).state !== 'scheduled');
    expect(only.status().lastClaimAgeMs).not.toBeNull();
    // On a busy machine later statements may exceed the time limit, too.
    expect(w.troubles[0]?.what).toBe('claim');
  });
});

/** A due target of another user on another identity, which shares the grant of the world's account. */
async function neighbor({ db, account }: World): Promise<string> {
  const [userId, identityId, accountId, postId, targetId] = [uuidv7(), uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  await db.execute(`insert into auth."user" (id, name, email) values ($1, 'Ada', $2)`, [
    userId,
    `${userId}@example.org`,
  ]);
  await db.execute(`insert into identity (id, platform, service, remote_id) values ($1, 'tiktok', '', $2)`, [
    identityId,
    identityId,
  ]);
  await db.execute('insert into lane (identity_id, user_id, next_due_at) values ($1, $2, app_now())', [
    identityId,
    userId,
  ]);
  await db.execute(
    `insert into account (id, user_id, identity_id, grant_id, platform, username, display_name, status, sandbox, capabilities, choices)
     select $1, $2, $3, grant_id, platform, username, display_name, 'CONNECTED', sandbox, capabilities, choices from account where id = $4`,
    [accountId, userId, identityId, account.id],
  );
  await db.execute(
    `insert into post (id, user_id, origin_id, media_id, description, preview_time_ms, scheduled, date)
     select $1::uuid, $2, $1::uuid, id, 'Night ride', 0, false, app_now() from media limit 1`,
    [postId, userId],
  );
  await db.execute(
    `insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, due_at, counts_from)
     values ($1, $2, $3, $4, $5, $2, 0, 'scheduled', app_now(), app_now())`,
    [targetId, postId, userId, accountId, identityId],
  );
  return targetId;
}

describe('a checkpoint that cannot be decrypted', () => {
  const break_ = ({ db }: World, id: string) =>
    db.execute(`update target set checkpoint = '\\x01deadbeef' where id = $1`, [id]);

  test('before a send restarts only its own target', async () => {
    const w = await start();
    const [broken, innocent] = [await w.post(), await neighbor(w)];
    await w.db.execute(`update target set state = 'working', begun_at = app_now() where id = $1`, [broken]);
    await break_(w, broken);
    const only = await w.worker();
    for (const id of [broken, innocent]) await w.settle(only, id);
    expect([(await w.target(broken)).state, (await w.target(innocent)).state]).toEqual(['posted', 'posted']);
    expect((await w.timeline(broken))[0]).toBe('restart: The saved progress cannot be decrypted. Starting over.');
    expect(await w.simulator.published()).toHaveLength(2);
  });

  test('after a send is kept, and verification works without it', async () => {
    const w = await start();
    const id = await w.post();
    const only = await w.worker();
    await only.runUntilIdle();
    const sent = await w.target(id);
    expect(sent.state).toBe('confirming');
    await break_(w, id);
    let down = true;
    w.simulator.faults.add({ when: () => down, fault: { kind: 'status', answer: { status: 503, body: '' } } });
    await w.advanceToNextDue();
    await only.runUntilIdle();
    down = false;
    expect(await w.target(id)).toMatchObject({ state: 'unknown', checkpoint: Buffer.from('01deadbeef', 'hex') });
    // The key is restored.
    await w.db.execute('update target set checkpoint = $2 where id = $1', [id, sent.checkpoint]);
    await w.settle(only, id);
    expect((await w.target(id)).state).toBe('posted');
    expect(await w.simulator.published()).toHaveLength(1);
  });
});

test('a failed release is retried until the lane is free', async () => {
  const w = await start();
  const id = await w.post();
  const away = () => {
    throw new ReelayError('database_unavailable');
  };
  // The lease of the send outlives the lane's work by a minute.
  const fault = strike(RELEASE, away, 2);
  const only = await w.worker(fault);
  await w.settle(only, id);
  await until(async () => (await leased(w)).length === 0);
  expect([fault.struck(), (await w.target(id)).state]).toEqual([2, 'posted']);
});

describe('a statement without a response', () => {
  test('in a release delays no other lane', async () => {
    const w = await start();
    const id = await w.post();
    const { db, hang } = await proxied(w);
    const hit = hang(RELEASE);
    const only = await w.worker({ db });
    await only.runUntilIdle();
    await hit;
    await w.settle(only, id);
    expect(await w.target(id)).toMatchObject({ state: 'posted', crashes: 0 });
    expect((await w.timeline(id)).filter((line) => line.startsWith('crash'))).toEqual([]);
  });

  test('in a renewal does not stop the next one', async () => {
    const w = await start();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await w.post();
    const { reached, answer } = heldInit(w);
    const { db, hang } = await proxied(w);
    hang(RENEWAL);
    const only = await w.worker({ db });
    await only.start();
    await reached;
    const lease = async () => {
      const [row] = await w.db.query<{ left: number }>(
        'select extract(epoch from lease_until - app_now())::float8 as left from lane where identity_id = $1',
        [w.account.identityId],
      );
      return row?.left ?? 0;
    };
    await w.advance(7_000);
    vi.advanceTimersByTime(3_000);
    await until(() => w.troubles.length > 0);
    expect(w.troubles[0]?.what).toBe('renew');
    vi.advanceTimersByTime(3_000);
    await until(async () => (await lease()) > 5);
    answer();
    await only.drain(5_000);
  });

  test('after a send keeps the platform’s response in a file', async () => {
    const w = await start();
    const id = await w.post();
    const { db, proxy } = await proxied(w);
    w.simulator.faults.add({
      when: ({ method }) => method === 'PUT',
      times: 1,
      fault: {
        kind: 'pause',
        at: 'after',
        get hold() {
          proxy.hang();
          proxy.refuse(true);
          return Promise.resolve();
        },
      },
    });
    const first = await w.worker({ db, resultWithinMs: 300, evidenceFileAfterMs: 0 });
    const working = first.runUntilIdle().catch(() => {});
    const files = async () =>
      (await readdir(join(w.folder, 'evidence')).catch(() => [])).filter((name) => /e$/.test(name));
    await until(async () => (await files()).length === 1);
    first.abort();
    await working;
    expect((await w.target(id)).state).toBe('committing');
    const second = await w.worker();
    await second.start();
    await second.drain(5_000);
    expect(await files()).toEqual([]);
    await w.settle(second, id);
    expect((await w.target(id)).state).toBe('posted');
    expect(await w.simulator.published()).toHaveLength(1);
  });
});

describe('a lease that expires during a step', () => {
  test('does not make the same worker repeat the step', async () => {
    const w = await start();
    const id = await w.post();
    const { reached, answer, inits } = heldInit(w);
    let claims = 0;
    const only = await w.worker({
      beforeStatement(text) {
        if (text.includes(CLAIM)) claims++;
      },
    });
    await only.start();
    await reached;
    await w.advance(LEASE_MS + 2_000);
    const before = claims;
    await until(() => {
      only.wake();
      return claims > before + 1;
    });
    expect(inits()).toBe(1);
    answer();
    await until(async () => (await w.target(id)).state !== 'scheduled' && (await w.target(id)).state !== 'working');
    await only.drain(5_000);
    expect(inits()).toBe(1);
    expect(await w.target(id)).toMatchObject({ crashes: 0, commit_number: 1 });
    expect((await w.timeline(id)).filter((line) => line.startsWith('crash'))).toEqual([]);
  });

  test('and is claimed by another worker stops the run', async () => {
    const w = await start();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const id = await w.post();
    const { reached, answer } = heldInit(w);
    const first = await w.worker();
    await first.start();
    await reached;
    await w.advance(LEASE_MS + 2_000);
    await w.settle(await w.worker(), id);
    vi.advanceTimersByTime(3_000);
    // It ends although the platform has not responded yet.
    await until(() => first.status().standstillSeconds === 0);
    await first.drain(1_000);
    answer();
    expect((await w.target(id)).state).toBe('posted');
    expect(await w.simulator.published()).toHaveLength(1);
  });
});

test('a worker with failing claims does not report itself alive', async () => {
  const w = await start();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let failing = true;
  const only = await w.worker({
    beforeStatement(text) {
      if (failing && text.includes(CLAIM)) throw new ReelayError('database_unavailable');
    },
  });
  const minutes = () => w.db.query('select 1 from alive_minute');
  await only.start();
  await until(() => w.troubles.length > 0);
  vi.advanceTimersByTime(20_000);
  await until(() => w.troubles.length > 1);
  expect([await minutes(), only.status().lastClaimAgeMs]).toEqual([[], null]);
  failing = false;
  vi.advanceTimersByTime(1_000);
  await until(async () => (await minutes()).length === 1);
  expect(only.status().lastClaimAgeMs).toBeLessThan(30_000);
});

test('a jump of the database’s clock makes no post late', async () => {
  const w = await start();
  await w.db.execute(`update auth."user" set late = 'skip'`);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const only = await w.worker();
  await only.start();
  await until(async () => (await w.db.query('select 1 from alive_minute')).length > 0);
  const id = await w.post({ dueIn: 30 * 60_000 });
  await w.db.clock.advance(3 * 3_600_000);
  await until(async () => {
    only.wake();
    return ['posted', 'failed'].includes(String((await w.target(id)).state));
  });
  expect(await w.target(id)).toMatchObject({ state: 'posted' });
});

describe('heartbeats', () => {
  const minutesAlive = async (w: World, sleptMs: number) => {
    let slept = 0;
    const sinceBoot = () => performance.now() + slept;
    const monotonic = () => performance.now();
    const claimer = { isHealthy: () => true };
    const { beat } = createHeartbeat({ db: w.db, workerId: uuidv7(), claimer, monotonic, sinceBoot });
    await beat();
    slept = sleptMs;
    await w.db.clock.advance(10 * 60_000);
    await beat();
    return (await w.db.query('select 1 from alive_minute')).length;
  };

  test('cover the minutes that the clock skipped', async () => {
    expect(await minutesAlive(await start(), 0)).toBeGreaterThanOrEqual(11);
  });

  test('cover no minutes in which the machine slept', async () => {
    expect(await minutesAlive(await start(), 10 * 60_000)).toBe(2);
  });
});

describe('an internal error', () => {
  test('after the request was sent leads to a verification', async () => {
    let thrown = 0;
    const careless = {
      ...connector,
      commit: {
        ...connector.commit,
        codeOf: (response: Parameters<typeof connector.commit.codeOf>[0]) => {
          if (thrown++ === 0) throw new TypeError('not a function');
          return connector.commit.codeOf(response);
        },
      },
    };
    const w = await start({ connector: careless });
    const id = await w.post();
    const only = await w.worker();
    await only.runUntilIdle();
    expect((await w.timeline(id)).at(-1)).toMatch(/^(unknown|confirming|posted|look)/);
    await w.settle(only, id);
    expect((await w.timeline(id)).join('\n')).toContain('unknown: An internal error occurred.');
    expect(await w.simulator.published()).toHaveLength(1);
    expect(w.bugs).toHaveLength(1);
  });

  test('while writing a target delays it and releases the lane', async () => {
    const w = await start();
    const id = await w.post();
    const refusal = Object.assign(new Error('invalid byte sequence for encoding "UTF8": 0x00'), { code: '22021' });
    const refuse = () => {
      throw refusal;
    };
    // The result of a step, and the record of its failure.
    const fault = strike('told as (insert into timeline', refuse, 2);
    const only = await w.worker(fault);
    await only.runUntilIdle();
    expect(await leased(w)).toEqual([]);
    expect(await w.target(id)).toMatchObject({ state: 'waiting', attempts: 1 });
    await w.settle(only, id);
    expect((await w.target(id)).state).toBe('posted');
  });
});

test('a failed verification keeps permission to risk a duplicate', async () => {
  const w = await start(await connectorOf('mastodon'));
  const isPost = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && path === '/api/v1/statuses';
  const isLook = ({ method, path }: { method: string; path: string }) => method === 'GET' && path.includes('/statuses');
  const down = { kind: 'status', answer: { status: 503, body: 'down' } } as const;
  w.simulator.faults.add({ when: isPost, times: 1, fault: { kind: 'reset-after' } });
  const looks = w.simulator.faults.add({ when: isLook, times: 2, fault: down });
  const id = await w.post();
  const only = await w.worker();
  await until(async () => {
    await only.runUntilIdle();
    const { state } = await w.target(id);
    if (state === 'unknown') return true;
    await w.advanceToNextDue();
    return false;
  });
  await w.db.execute('update target set accept_duplicate = true where id = $1', [id]);
  await w.settle(only, id, 60);
  expect(looks.hits()).toBe(2);
  expect((await w.timeline(id)).join('\n')).not.toContain('Posting again as asked');
  expect((await w.target(id)).state).toBe('posted');
  expect(await w.simulator.published()).toHaveLength(1);
});

describe('access that cannot be renewed', () => {
  const unrenewable = { ...connector, oauth: { ...connector.oauth, refresh: undefined } };
  const endsIn = ({ db }: World, seconds: number) =>
    db.execute(`update access_grant set expires_at = app_now() + $1 * interval '1 s'`, [seconds]);
  const sends = (w: World) => w.simulator.requests.filter(({ method }) => method === 'PUT').length;

  test('is used until it expires', async () => {
    const w = await start({ connector: unrenewable });
    const id = await w.post();
    await endsIn(w, 280);
    await (await w.worker()).runUntilIdle();
    expect([sends(w), (await w.target(id)).code]).toEqual([1, null]);
  });

  test('starts no call that may outlive it', async () => {
    const w = await start({ connector: unrenewable });
    const id = await w.post();
    await endsIn(w, 20);
    await (await w.worker()).runUntilIdle();
    expect(sends(w)).toBe(0);
    expect(await w.target(id)).toMatchObject({
      state: 'failed',
      code: 'reconnect_required',
      detail: expect.stringMatching(/^Access to this account ends in [12]?\d s, too soon to post\./),
    });
  });
});
