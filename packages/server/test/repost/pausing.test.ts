import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_INTERVALS } from '../../src/reposts/rule-store.ts';
import { waitingSessions } from '../harness/locks.ts';
import { addAccount } from '../harness/rows.ts';
import { startService, type TestService, type TestUser } from '../harness/service.ts';
import { eventually } from '../post/world.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function withRule(): Promise<{ user: TestUser; id: string }> {
  const user = await service.newUser();
  const [a, b] = [await addAccount(service.db, user.userId), await addAccount(service.db, user.userId)];
  const { body } = await user.post('/repost/add', { from: a.id, to: [b.id] });
  return { user, id: body.id };
}

const isPaused = async (user: TestUser) => (await user.get('/reposts')).body.data[0].isPaused;

/** The rule's active intervals: seconds since its start, rounded to ten, null while active. */
async function intervals(id: string): Promise<(number | null)[][]> {
  const rows = await service.db.query<{ begin: number; end: number | null }>(
    `select round(extract(epoch from active_from - min(active_from) over ()), -1) as begin,
       round(extract(epoch from active_to - min(active_from) over ()), -1) as end
     from rule_interval where rule_id = $1 order by active_from`,
    [id],
  );
  return rows.map(({ begin, end }) => [Number(begin), end === null ? null : Number(end)]);
}

test('both forms of the body pause and resume', async () => {
  const { user, id } = await withRule();
  expect((await user.post('/repost/pause', { id, isPaused: true })).body).toEqual({ success: true });
  expect(await isPaused(user)).toBe(true);
  await user.post('/repost/pause', { id, pause: false });
  expect(await isPaused(user)).toBe(false);
  await user.post('/repost/pause', { id, pause: true, isPaused: true });
  expect(await isPaused(user)).toBe(true);
});

test('an empty or contradictory body is rejected and changes nothing', async () => {
  const { user, id } = await withRule();
  for (const body of [
    {},
    { pause: true, isPaused: false },
    { pause: 'true' },
    { isPaused: 1 },
    { isPaused: null },
    { isPaused: false, between: 'keep' },
    { isPaused: true, between: 'all' },
  ])
    expect(await user.post('/repost/pause', { id, ...body })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  expect(await isPaused(user)).toBe(false);
});

test('a pause that keeps posts leaves the interval open', async () => {
  const { user, id } = await withRule();
  const pause = async (body: object) => {
    await service.db.clock.advance(100_000);
    expect((await user.post('/repost/pause', { id, ...body })).status).toBe(200);
    const [rule] = (await user.get('/reposts')).body.data;
    return [rule.isPaused, rule.between];
  };
  expect(await pause({ isPaused: true, between: 'keep' })).toEqual([true, 'keep']);
  // A repeated pause without the field changes nothing.
  expect(await pause({ isPaused: true })).toEqual([true, 'keep']);
  expect(await intervals(id)).toEqual([[0, null]]);
  expect(await pause({ isPaused: true, between: 'skip' })).toEqual([true, 'skip']);
  expect(await pause({ isPaused: true, between: 'keep' })).toEqual([true, 'keep']);
  expect(await pause({ isPaused: false })).toEqual([false, undefined]);
  expect(await pause({ isPaused: true })).toEqual([true, 'skip']);
  expect(await intervals(id)).toEqual([
    [0, 300],
    [400, 600],
  ]);
});

test('active intervals use the database’s clock', async () => {
  const { user, id } = await withRule();
  for (const pause of [true, true, false, false, true]) {
    await service.db.clock.advance(100_000);
    expect((await user.post('/repost/pause', { id, pause })).status).toBe(200);
  }
  // Repeated pauses and resumes succeed and change nothing.
  expect(await intervals(id)).toEqual([
    [0, 100],
    [300, 500],
  ]);
});

test('a rule keeps its newest active intervals', async () => {
  const { user, id } = await withRule();
  await user.post('/repost/pause', { id, isPaused: true });
  await service.db.execute(
    `insert into rule_interval (rule_id, active_from, active_to)
     select $1, app_now() - n * interval '1 hour', app_now() - n * interval '1 hour' from generate_series(1, $2) n`,
    [id, MAX_INTERVALS],
  );
  await user.post('/repost/pause', { id, isPaused: false });
  const kept = await intervals(id);
  expect(kept).toHaveLength(MAX_INTERVALS);
  expect(kept.filter(([, end]) => end === null)).toHaveLength(1);
});

test('a pause waits for a firing that is being recorded', async () => {
  const { user, id } = await withRule();
  const other = service.db.another(1);
  const { client, release } = await other.connect();
  await client.query('begin');
  await client.query('select from rule where id = $1 for share', [id]);
  const pausing = user.post('/repost/pause', { id, isPaused: true });
  await eventually('the pause waits', async () => (await waitingSessions(service.db)) > 0);
  const [recorded] = (await client.query('select app_now() as at')).rows;
  await client.query('commit');
  release();
  expect((await pausing).status).toBe(200);
  const [row] = await service.db.query<{ active_to: Date }>('select active_to from rule_interval where rule_id = $1', [
    id,
  ]);
  expect(row?.active_to.getTime()).toBeGreaterThanOrEqual(recorded.at.getTime());
});

test('concurrent pauses and resumes leave at most one open interval', async () => {
  const { user, id } = await withRule();
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, at) => user.post('/repost/pause', { id, isPaused: at % 2 === 0 })),
  );
  expect(responses.every(({ status }) => status === 200)).toBe(true);
  const open = (await intervals(id)).filter(([, end]) => end === null);
  expect(open).toHaveLength((await isPaused(user)) ? 0 : 1);
});
