/** A repost comes to an account that it left to another repost, once that other one is not there any more. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { completeOptions } from '../../src/reposts/options/rule-options.ts';
import { deleteRule, pauseRule } from '../../src/reposts/service.ts';
import type { AccountRow } from '../harness/rows.ts';
import { createFiringWorld, type FiringWorld } from './firing-world.ts';

let world: FiringWorld;
beforeAll(async () => {
  world = await createFiringWorld();
});
beforeEach(() => world.shown.clear());
afterAll(async () => {
  expect(world.errors).toEqual([]);
  await world.db.drop();
});

interface TargetRow {
  id: string;
  postId: string;
  account: string;
  state: string;
  position: number;
  text: string;
}

const repostsOf = (ruleId: string) =>
  world.db.query<TargetRow>(
    `select t.id, p.id as "postId", t.account_id as account, t.state, t.position, p.description as text
     from post p join target t on t.post_id = p.id where p.rule_id = $1 order by t.position`,
    [ruleId],
  );

const accountsOf = async (ruleId: string) => (await repostsOf(ruleId)).map(({ account }) => account);

/** The first rule has queued the repost to x; the second one, to x and y, reposted to y alone. */
async function shared() {
  const userId = await world.newUser();
  const [a, b, x, y] = await world.accounts(userId, 4);
  const [first, second] = [await world.rule(userId, a, [x]), await world.rule(userId, b, [x, y])];
  const post = await world.post(userId, [a, b]);
  for (const target of post.targets) {
    await world.posted(target);
    await world.fire();
  }
  expect(await accountsOf(second)).toEqual([y.id]);
  const [queued] = await repostsOf(first);
  const [made] = await repostsOf(second);
  if (!queued || !made) throw new Error('A repost is missing.');
  return { userId, x, y, first, second, post, queued, made };
}

const isDue = async (ruleId: string) =>
  (await world.db.query(`select from firing where rule_id = $1 and due_at is not null`, [ruleId])).length > 0;

test('a repost comes to an account whose repost failed', async () => {
  const { second, queued, x, y, made } = await shared();
  await world.failed(queued.id, 'caption_rejected');
  await world.fire();
  const reposts = await repostsOf(second);
  expect(reposts.map(({ account, position }) => [account, position])).toEqual([
    [y.id, 0],
    [x.id, 1],
  ]);
  expect(reposts.map(({ postId }) => postId)).toEqual([made.postId, made.postId]);
  expect(await isDue(second)).toBe(false);
});

test('a repost comes to an account whose rule was deleted', async () => {
  const { userId, first, second, x, y } = await shared();
  await deleteRule(world.db, userId, first);
  await world.fire();
  expect(await accountsOf(second)).toEqual([y.id, x.id]);
  const [lane] = await world.db.query<{ due: boolean }>(
    'select next_due_at <= app_now() as due from lane where identity_id = $1',
    [x.identityId],
  );
  expect(lane?.due).toBe(true);
});

test('a repost that was posted is extended, too', async () => {
  const { second, queued, x, y, made } = await shared();
  await world.posted(made.id);
  await world.failed(queued.id, 'caption_rejected');
  await world.fire();
  expect((await repostsOf(second)).map(({ account, state }) => [account, state])).toEqual([
    [y.id, 'posted'],
    [x.id, 'scheduled'],
  ]);
});

test('an extension has the text that its user wrote', async () => {
  const { second, queued, made } = await shared();
  await world.db.execute(`update post set description = 'Mine' where id = $1`, [made.postId]);
  await world.db.execute(
    `insert into timeline (target_id, event, code, params) values ($1, 'edited', 'description_changed', '{}')`,
    [made.id],
  );
  await world.failed(queued.id, 'caption_rejected');
  await world.fire();
  expect((await repostsOf(second)).map(({ text }) => text)).toEqual(['Mine', 'Mine']);
});

test.each([
  ['outcome_unknown', {}],
  ['platform_unavailable', { unproven: true }],
  ['policy_rejected', { wasPublished: true }],
])('a repost ending with %s and %o keeps its account', async (code, what) => {
  const { second, queued, y } = await shared();
  await world.failed(queued.id, code, what);
  await world.fire();
  expect(await accountsOf(second)).toEqual([y.id]);
});

test('a paused rule extends its repost when it is resumed', async () => {
  const { userId, second, queued, x, y } = await shared();
  await pauseRule({ db: world.db, connectors: {} }, userId, second, { isPaused: true });
  await world.failed(queued.id, 'caption_rejected');
  await world.fire();
  expect([await accountsOf(second), await isDue(second)]).toEqual([[y.id], false]);
  await pauseRule({ db: world.db, connectors: {} }, userId, second, { isPaused: false });
  await world.fire();
  expect(await accountsOf(second)).toEqual([y.id, x.id]);
});

test('an extension waits for the end of quiet hours', async () => {
  const { second, queued, y } = await shared();
  const [{ hour } = { hour: 0 }] = await world.db.query<{ hour: number }>(
    `select extract(hour from app_now() at time zone 'UTC')::integer as hour`,
  );
  const at = (offset: number) => `${String((hour + offset) % 24).padStart(2, '0')}:00`;
  const options = completeOptions({ quietHours: { from: at(23), to: at(2), zone: 'UTC' } });
  await world.db.execute('update rule set options = $2 where id = $1', [second, JSON.stringify(options)]);
  await world.failed(queued.id, 'caption_rejected');
  await world.fire();
  expect([await accountsOf(second), await isDue(second)]).toEqual([[y.id], true]);
  await world.db.execute(`update rule set options = '{}' where id = $1`, [second]);
  await world.db.execute('update firing set due_at = app_now() where rule_id = $1', [second]);
  await world.fire();
  expect(await accountsOf(second)).toHaveLength(2);
});

test('a repost skips an account that shows the video', async () => {
  const { second, queued, x, y, made } = await shared();
  await world.failed(queued.id, 'caption_rejected');
  world.shown.set(x.id, [
    {
      remoteId: 'shared',
      text: made.text,
      durationMs: null,
      publishedAt: Date.now(),
      url: null,
      isPublic: true,
    } as never,
  ]);
  await world.fire();
  expect(await accountsOf(second)).toEqual([y.id]);
});

test('a repost whose source became private is not extended', async () => {
  const { second, queued, y, post } = await shared();
  await world.db.execute('update target set is_public = false where id = any($1)', [post.targets]);
  await world.posted((await repostsOf(second))[0]?.id ?? '');
  await world.failed(queued.id, 'caption_rejected');
  await world.fire();
  expect([await accountsOf(second), await isDue(second)]).toEqual([[y.id], false]);
});

test.each([
  ['a repost that its user removed', (made: TargetRow) => ['delete from post where id = $1', made.postId] as const],
  [
    'a repost without its video',
    (made: TargetRow) =>
      [`update media set state = 'gone' where id = (select media_id from post where id = $1)`, made.postId] as const,
  ],
])('%s is not extended', async (_, change) => {
  const { second, queued, made } = await shared();
  await world.posted(made.id);
  const [sql, id] = change(made);
  await world.db.execute(sql, [id]);
  await world.failed(queued.id, 'caption_rejected');
  await world.fire();
  expect(await isDue(second)).toBe(false);
  expect((await accountsOf(second)).length).toBeLessThan(2);
});

test('a failed target of the same repost is not extended', async () => {
  const userId = await world.newUser();
  const [a, x, y] = await world.accounts(userId, 3);
  const rule = await world.rule(userId, a, [x, y]);
  const post = await world.post(userId, [a]);
  await world.posted(post.targets[0] ?? '');
  await world.fire();
  const [target] = await repostsOf(rule);
  await world.failed(target?.id ?? '', 'caption_rejected');
  await world.fire();
  expect(await repostsOf(rule)).toHaveLength(2);
});

test('one of two rules brings a left-out account the video', async () => {
  const userId = await world.newUser();
  const [a, b, c, x] = await world.accounts(userId, 4);
  const [y, z]: AccountRow[] = await world.accounts(userId, 2);
  if (!y || !z) throw new Error('An account is missing.');
  const rules = [
    await world.rule(userId, a, [x]),
    await world.rule(userId, b, [x, y]),
    await world.rule(userId, c, [x, z]),
  ];
  const post = await world.post(userId, [a, b, c]);
  for (const target of post.targets) {
    await world.posted(target);
    await world.fire();
  }
  const [queued] = await repostsOf(rules[0] ?? '');
  await world.failed(queued?.id ?? '', 'caption_rejected');
  await world.fire();
  const reached = (await Promise.all(rules.slice(1).map(accountsOf))).flat();
  expect(reached.sort()).toEqual([x.id, y.id, z.id].sort());
});
