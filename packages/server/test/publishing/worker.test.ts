import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { simulator } from '@reelay/sandbox/platforms/tiktok/index.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { connector } from '../../src/connectors/tiktok/index.ts';
import { createWorld, pollPause, type World, type WorldOptions } from '../harness/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

async function start(options: Partial<WorldOptions> = {}): Promise<World> {
  world = await createWorld({ connector, module: simulator, ...options });
  return world;
}

const HOUR = 3_600_000;

describe('late', () => {
  test('posts start two minutes apart, oldest first', async () => {
    const { post, worker, settle, target } = await start();
    const ids: string[] = [];
    for (let n = 6; n > 1; n--) ids.push(await post({ dueIn: -n * HOUR }));
    const only = await worker();
    for (const id of ids) await settle(only, id);
    const begun = await Promise.all(ids.map(async (id) => ((await target(id)).begun_at as Date).getTime()));
    const gaps = begun.slice(1).map((at, n) => at - (begun[n] ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(119_000);
    expect((begun[4] ?? 0) - (begun[0] ?? 0)).toBeLessThan(540_000);
  });

  test('posts are skipped with a reason on request', async () => {
    const { db, post, worker, settle, target } = await start();
    await db.execute(`update auth."user" set late = 'skip'`);
    const id = await post({ dueIn: -2 * HOUR });
    await settle(await worker(), id);
    expect(await target(id)).toMatchObject({ state: 'failed', code: 'late_skipped' });
  });

  test('waiting for a busy worker does not count', async () => {
    const { db, post, worker, settle, target } = await start();
    await db.execute(`update auth."user" set late = 'skip'`);
    await db.execute(
      `insert into alive_minute select generate_series(date_trunc('minute', app_now()) - interval '3 hours', app_now(), '1 minute')`,
    );
    const id = await post({ dueIn: -2 * HOUR });
    await settle(await worker(), id);
    expect((await target(id)).state).toBe('posted');
  });
});

describe('budgets', () => {
  test('an exhausted budget delays the target without platform calls', async () => {
    const { post, worker, target, simulator: platform, advance, settle } = await start({ budgets: true });
    const only = await worker();
    const ids = [];
    for (let n = 0; n < 7; n++) ids.push(await post({ text: `Run ${n}` }));
    await only.runUntilIdle();
    const inits = () => platform.requests.filter(({ path }) => path.includes('/video/init/')).length;
    expect(inits()).toBe(6);
    const parked = await Promise.all(ids.map((id) => target(id)));
    expect(parked.filter((row) => row.state === 'waiting')).toHaveLength(1);
    // Real time passes too, so half a minute of the window is left to it.
    await advance(30_000);
    await only.runUntilIdle();
    expect(inits()).toBe(6);
    for (const id of ids) await settle(only, id);
    expect(inits()).toBe(7);
  });

  test('a daily limit moves the rest to the next day', async () => {
    const budgets = connector.budgets.map((budget) => (budget.kind === 'daily' ? { ...budget, limit: 3 } : budget));
    const { post, worker, target, settle } = await start({ connector: { ...connector, budgets }, budgets: true });
    const only = await worker();
    const ids = [];
    for (let n = 0; n < 4; n++) ids.push(await post({ text: `Run ${n}` }));
    for (const id of ids) await settle(only, id);
    const rows = await Promise.all(ids.map((id) => target(id)));
    expect(rows.map((row) => row.state)).toEqual(ids.map(() => 'posted'));
    const times = rows.map((row) => (row.committed_at as Date).getTime()).sort((a, b) => a - b);
    expect((times[2] ?? 0) - (times[0] ?? 0)).toBeLessThan(HOUR);
    expect((times[3] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(24 * HOUR - 60_000);
  });

  test('a rate-limit response delays all targets of the account', async () => {
    const { post, worker, target, simulator: platform } = await start({ budgets: true });
    platform.faults.add({
      when: ({ path }) => path === '/v2/post/publish/video/init/',
      times: 1,
      fault: { kind: 'refusal', refusal: 'rate-limited' },
    });
    const ids = [await post({ text: 'One' }), await post({ text: 'Two' })];
    const only = await worker();
    await only.runUntilIdle();
    expect(platform.requests.filter(({ path }) => path.includes('/video/init/'))).toHaveLength(1);
    for (const id of ids) expect((await target(id)).state).toBe('waiting');
  });
});

/** Runs an action after the first upload was processed, before its response. */
function afterUpload({ faults }: World['simulator'], action: () => void) {
  const fault: Fault = {
    kind: 'pause',
    at: 'after',
    get hold() {
      action();
      return Promise.resolve();
    },
  };
  faults.add({ when: ({ method }) => method === 'PUT', times: 1, fault });
}

describe('a database that becomes unavailable', () => {
  test('keeps the proof of a response until it is back', async () => {
    let gone = false;
    const { post, worker, timeline, simulator: platform, settle, advance } = await start();
    const id = await post();
    const first = await worker({ databaseGone: () => gone });
    afterUpload(platform, () => {
      gone = true;
    });
    const working = first.runUntilIdle().catch(() => {});
    while (!gone) await pollPause();
    // The lease expires while the database is unavailable. It comes back only for the evidence.
    await advance(120_000);
    gone = false;
    await working;
    expect((await timeline(id)).join('\n')).toContain('The platform’s response was recorded late');
    await settle(await worker(), id);
    expect(await platform.published()).toHaveLength(1);
  });

  test('permanently: the proof is read from a file at startup', async () => {
    let gone = false;
    const { post, worker, target, simulator: platform, folder, advance } = await start();
    const id = await post();
    const first = await worker({ databaseGone: () => gone, evidenceFileAfterMs: 0 });
    afterUpload(platform, () => {
      gone = true;
    });
    const working = first.runUntilIdle().catch(() => {});
    while (!gone) await pollPause();
    await advance(120_000);
    const evidence = join(folder, 'evidence');
    const files = () => readdir(evidence).catch(() => []);
    while ((await files()).filter((name) => name.endsWith('.evidence')).length === 0) await pollPause();
    first.abort();
    await working;
    expect((await target(id)).state).toBe('committing');
    const second = await worker();
    await second.start();
    await second.drain(5_000);
    expect(['confirming', 'posted']).toContain((await target(id)).state);
    expect(await files()).toEqual([]);
  });
});

describe('draining', () => {
  test('finishes the current step, sends nothing and releases all lanes', async () => {
    const { db, post, worker, target, simulator: platform, settle } = await start();
    const id = await post();
    const first = await worker();
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    platform.faults.add({
      when: ({ path }) => path === '/v2/post/publish/video/init/',
      times: 1,
      fault: {
        kind: 'pause',
        at: 'after',
        get hold() {
          reached.resolve();
          return held.promise;
        },
      },
    });
    await first.start();
    await reached.promise;
    const drained = first.drain(10_000);
    held.resolve();
    await drained;
    expect((await target(id)).state).toBe('working');
    expect(await db.query('select 1 from lane where lease_until is not null')).toEqual([]);
    expect(platform.requests.some(({ method }) => method === 'PUT')).toBe(false);
    await settle(await worker(), id);
    expect((await target(id)).crashes).toBe(0);
    expect(await platform.published()).toHaveLength(1);
  });
});

describe('accounts', () => {
  test('a revoked token fails the target and expires the account', async () => {
    const { db, post, worker, target, simulator: platform, settle, account } = await start();
    platform.faults.add({
      when: ({ path }) => path !== '/v2/oauth/token/',
      fault: { kind: 'refusal', refusal: 'token-expired' },
    });
    platform.faults.add({
      when: ({ path }) => path === '/v2/oauth/token/',
      fault: { kind: 'status', answer: { status: 400, body: { error: 'invalid_grant', error_description: 'Gone.' } } },
    });
    const id = await post();
    await settle(await worker(), id);
    expect(await target(id)).toMatchObject({ state: 'failed', code: 'reconnect_required' });
    expect(await db.query('select status from account where id = $1', [account.id])).toEqual([{ status: 'EXPIRED' }]);
  });

  test('a target of a disconnected account fails as reconnect_required', async () => {
    const { db, post, worker, target, settle } = await start();
    const id = await post();
    await db.execute(`update account set status = 'DISCONNECTED'`);
    await settle(await worker(), id);
    expect(await target(id)).toMatchObject({ state: 'failed', code: 'reconnect_required', begun_at: null });
  });

  test('an unsuitable video fails before the first call', async () => {
    const {
      post,
      worker,
      target,
      settle,
      simulator: platform,
    } = await start({ video: { facts: { durationMs: 700_000 } } });
    const before = platform.requests.length;
    const id = await post();
    await settle(await worker(), id);
    expect(await target(id)).toMatchObject({
      state: 'failed',
      code: 'video_rejected',
      detail: expect.stringContaining('The maximum is 600 s'),
    });
    expect(platform.requests).toHaveLength(before);
  });
});

test('the placement has the text that was sent', async () => {
  const { db, post, worker, settle } = await start();
  const [own, shared] = [await post({ text: 'For everyone' }), await post({ text: 'For  Everyone' })];
  await db.execute(`update target set caption = '  For  Nora ' where id = $1`, [own]);
  const only = await worker();
  for (const id of [own, shared]) await settle(only, id);
  const texts = async (id: string) =>
    (await db.query<{ text: string }>('select normal_text as text from placement where target_id = $1', [id]))[0]?.text;
  expect([await texts(own), await texts(shared)]).toEqual(['for nora', 'for everyone']);
});

describe('secrets', () => {
  test('tokens, upload URLs and checkpoints are unreadable in the database', async () => {
    const { db, post, worker, settle } = await start();
    const id = await post();
    await settle(await worker(), id);
    const rows = await db.query<{ text: string }>(
      `select t::text as text from target t union all select g::text from access_grant g union all select l::text from timeline l`,
    );
    const all = rows.map((row) => row.text).join('\n');
    expect(all).not.toMatch(/upload_token|act\.|rft\.|accessToken/);
  });
});
