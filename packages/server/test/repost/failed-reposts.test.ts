/** Reposts that failed before anything was sent keep nobody else from bringing the content. */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disconnect } from '../../src/accounts/connect/disconnect-service.ts';
import { createAccountEvents } from '../../src/accounts/events.ts';
import { createSealer } from '../../src/lib/encryption/seal.ts';
import { retryPost } from '../../src/posts/change.ts';
import { applyEvidence } from '../../src/publishing/evidence-store.ts';
import { RULES_OF_ACCOUNTS } from '../../src/reposts/rules-of-accounts.ts';
import type { AccountRow } from '../harness/rows.ts';
import { createFiringWorld, type FiringWorld } from './firing-world.ts';

let world: FiringWorld;
beforeAll(async () => {
  world = await createFiringWorld();
});
afterAll(async () => {
  expect(world.errors).toEqual([]);
  await world.db.drop();
});

const targetsOn = (account: AccountRow) =>
  world.db.query<{ id: string; postId: string; state: string; origin: string }>(
    `select id, post_id as "postId", state, origin_id as origin from target where identity_id = $1 order by created_at, id`,
    [account.identityId],
  );

const decided = async (ruleId: string) =>
  (
    await world.db.query<{ state: string; code: string | null }>(
      `select state, reason->>'code' as code from firing where rule_id = $1`,
      [ruleId],
    )
  ).map(({ state, code }) => [state, code].filter(Boolean).join(' '));

/** A repost to d by the first rule, which is queued, and a second rule that left d to it. */
async function contested() {
  const userId = await world.newUser();
  const [a, b, d] = await world.accounts(userId, 3);
  const [first, second] = [await world.rule(userId, a, [d]), await world.rule(userId, b, [d])];
  const post = await world.post(userId, [a, b]);
  for (const target of post.targets) {
    await world.posted(target);
    await world.fire();
  }
  expect(await decided(second)).toEqual(['skipped already_there']);
  const [queued] = await targetsOn(d);
  if (!queued) throw new Error('Nothing is queued.');
  return { userId, a, b, d, first, second, queued };
}

/** A repost to d that failed, and a repost of a copy that is queued there. */
async function besideCopy({ durationMs = 5_000, byHand = false }: { durationMs?: number | null; byHand?: boolean }) {
  const userId = await world.newUser();
  const [a, b, d] = await world.accounts(userId, 3);
  const ruleId = await world.rule(userId, a, [d]);
  await world.rule(userId, b, [d]);
  const repostOf = async (source: AccountRow, text: string) => {
    const post = await world.post(userId, [source], text);
    await world.posted(post.targets[0] ?? '');
    if (byHand) await world.db.execute('update firing set by_hand = true where rule_id = $1', [ruleId]);
    await world.fire();
    const made = (await targetsOn(d)).at(-1);
    if (!made) throw new Error('Nothing is queued.');
    return made;
  };
  const first = await repostOf(a, 'Sunset run');
  await world.failed(first.id, 'platform_error');
  const copy = await repostOf(b, 'sunset RUN!');
  await world.db.execute(
    `update media set facts = facts || jsonb_build_object('durationMs', $2::integer)
     where id = (select media_id from post where id = $1)`,
    [first.postId, durationMs],
  );
  expect(copy.origin).not.toBe(first.origin);
  return { userId, first, d, ruleId };
}

const retryDeps = () => ({ db: world.db, config: { plans: world.plans }, wake: () => {}, connectors: {} }) as never;

describe('a repost that failed', () => {
  test('before any request leaves the account to other rules', async () => {
    const { d, second, queued } = await contested();
    await world.failed(queued.id, 'caption_rejected');
    await world.fire();
    expect(await decided(second)).toEqual(['reposted']);
    expect((await targetsOn(d)).map(({ state }) => state)).toEqual(['failed', 'scheduled']);
  });

  test.each([
    ['outcome_unknown', false],
    ['platform_unavailable', true],
  ])('with %s and unproven %s keeps the account', async (code, unproven) => {
    const { d, second, queued } = await contested();
    await world.failed(queued.id, code, { unproven });
    await world.fire();
    expect(await decided(second)).toEqual(['skipped already_there']);
    expect(await targetsOn(d)).toHaveLength(1);
  });

  test('whose post was published and removed keeps the account', async () => {
    const { d, second, queued } = await contested();
    await world.failed(queued.id, 'policy_rejected', { wasPublished: true });
    await world.fire();
    expect(await decided(second)).toEqual(['skipped already_there']);
    expect(await targetsOn(d)).toHaveLength(1);
  });

  test('after a disconnection leaves the account to others', async () => {
    const { userId, d } = await contested();
    const other = await world.newUser();
    const [source] = await world.accounts(other, 1);
    const shared = await world.account(other);
    await world.db.execute('update account set identity_id = $2 where id = $1', [shared.id, d.identityId]);
    const rule = await world.rule(other, source, [shared]);
    const { origin } = (await targetsOn(d))[0] ?? { origin: '' };
    await world.db.execute(
      `insert into firing (rule_id, user_id, origin_id, target_id, state, reason, decided_at, due_at)
       values ($1, $2, $3, uuid_v7(), 'skipped', '{"code": "already_there", "params": {}}', app_now(), null)`,
      [rule, other, origin],
    );
    const events = createAccountEvents(pino({ enabled: false }));
    await disconnect({ db: world.db, events, rules: RULES_OF_ACCOUNTS }, { userId, accountId: d.id, actor: 'test' });
    expect(await decided(rule)).toEqual(['waiting']);
  });

  test('cannot be retried once another rule brought the video', async () => {
    const { userId, d, queued } = await contested();
    await world.failed(queued.id, 'caption_rejected');
    await world.fire();
    await expect(retryPost(retryDeps(), userId, queued.postId, {})).rejects.toMatchObject({ code: 'already_there' });
    await expect(retryPost(retryDeps(), userId, queued.postId, { platforms: [d.id] })).rejects.toMatchObject({
      code: 'already_there',
      message: expect.stringContaining(d.id),
    });
  });

  test.each([
    ['cannot be retried once a copy is there', 5_000, false, 'already_there'],
    ['cannot be retried beside a sure copy', 5_000, true, 'already_there'],
    ['cannot be retried beside what may be a copy', null, false, 'already_there'],
    ['can be retried beside what may be a copy, if accepted', null, true, null],
  ])('%s', async (_, durationMs, acceptDuplicate, code) => {
    const { userId, first, d } = await besideCopy({ durationMs });
    const retried = retryPost(retryDeps(), userId, first.postId, { acceptDuplicate });
    if (code) await expect(retried).rejects.toMatchObject({ code });
    else await retried;
    expect((await targetsOn(d)).map(({ state }) => state)).toEqual([code ? 'failed' : 'waiting', 'scheduled']);
  });

  test.each([
    ['its rule was deleted', 'delete from rule where id = $1'],
    ['its decision was swept', 'delete from firing where rule_id = $1'],
  ])('cannot be retried beside a copy after %s', async (_, loss) => {
    const { userId, first, d, ruleId } = await besideCopy({});
    await world.db.execute(loss, [ruleId]);
    await expect(retryPost(retryDeps(), userId, first.postId, {})).rejects.toMatchObject({ code: 'already_there' });
    expect((await targetsOn(d)).map(({ state }) => state)).toEqual(['failed', 'scheduled']);
  });

  test('by hand can be retried beside a copy', async () => {
    const { userId, first, d, ruleId } = await besideCopy({ byHand: true });
    await world.db.execute('delete from firing where rule_id = $1', [ruleId]);
    await retryPost(retryDeps(), userId, first.postId, {});
    expect((await targetsOn(d)).map(({ state }) => state)).toEqual(['waiting', 'scheduled']);
  });

  test('can be retried while nothing took its place', async () => {
    const { userId, queued, second } = await contested();
    await world.db.execute('delete from firing where rule_id = $1', [second]);
    await world.failed(queued.id, 'caption_rejected');
    await retryPost(retryDeps(), userId, queued.postId, {});
    expect(await world.db.query('select state from target where id = $1', [queued.id])).toEqual([{ state: 'waiting' }]);
  });

  test.each(['posted', 'accepted'] as const)('is a separate post when %s is proven late', async (proves) => {
    const { d, queued } = await contested();
    await world.failed(queued.id, 'platform_error');
    await world.fire();
    const published = { remoteId: 'late', url: null, publishedAt: null };
    const sealer = createSealer([Buffer.alloc(32, 1)]);
    const send = { targetId: queued.id, commitNumber: 0 };
    await applyEvidence(
      world.db,
      sealer,
      proves === 'posted' ? { ...send, proves, published } : { ...send, proves, checkpoint: {}, sha256: 'a' },
    );
    const [late, other] = await targetsOn(d);
    expect([late?.state, other?.state]).toEqual([proves === 'posted' ? 'posted' : 'confirming', 'scheduled']);
    expect(late?.origin).not.toBe(other?.origin);
  });
});
