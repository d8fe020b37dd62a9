/** Notifications about posts that are retried. */
import { simulator } from '@reelay/sandbox/platforms/mastodon/index.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connector } from '../../src/connectors/mastodon/index.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { say } from '../../src/messages/timeline.ts';
import { type Entry, entryPage } from '../../src/notifications/entries.ts';
import { type AccountRow, addMedia, addPost } from '../harness/rows.ts';
import type { SessionUser, TestService } from '../harness/service.ts';
import { createWorld } from '../harness/world.ts';
import { addReadyAccount, startPostService } from '../post/world.ts';
import { failTarget, troubleTarget } from './world.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

let service: TestService;
let user: SessionUser;
let account: AccountRow;
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newSession();
  account = await addReadyAccount(service.db, user.userId, { username: 'nora' });
});
afterAll(() => service.close());

/** Adds a post whose sending has begun. @returns the ids of its targets */
async function begin(...accounts: AccountRow[]): Promise<string[]> {
  const media = await addMedia(service.db, user.userId);
  const post = { userId: user.userId, mediaId: media.id, accounts, state: 'working', dueInMs: DAY } as const;
  return (await addPost(service.db, post)).targets;
}
const trouble = (id: string | undefined, given: Parameters<typeof troubleTarget>[2] = {}) =>
  troubleTarget(service.db, id ?? '', { dueInMs: MINUTE, ...given });
const end = (id: string | undefined) =>
  service.db.execute(
    `update target set state = 'posted', due_at = null, settled_at = app_now(), trouble = null where id = $1`,
    [id],
  );
const list = async (language = 'en') => {
  const headers = { 'accept-language': language };
  return (await user.call('GET', '/dashboard/notifications', { headers })).body.data;
};
const unread = async () => (await user.get('/dashboard/notifications/unread')).body.data.unread;
const facts = () =>
  service.db.query<{ cause: string; open: boolean }>(
    'select cause, resolved_at is null as open from notification where user_id = $1 order by at, id',
    [user.userId],
  );

describe('a post in trouble', () => {
  test.each([
    ['is a notification after its second failure', { attempts: 2 }, 1],
    ['is none after its first failure', { attempts: 1, dueInMs: 2 * MINUTE }, 0],
    ['is one if its next attempt is three minutes away', { attempts: 1, dueInMs: 3 * MINUTE + 1 }, 1],
  ])('%s', async (_, given, expected) => {
    const [target] = await begin(account);
    await trouble(target, given);
    expect([await unread(), await list()]).toEqual([expected, expect.toSatisfy((all) => all.length === expected)]);
  });

  test('shows its accounts with the reason in the reader’s language', async () => {
    const other = await addReadyAccount(service.db, user.userId, { platform: 'mastodon', username: 'nora@m' });
    const targets = await begin(account, other);
    const reason = say('access_refresh_later');
    for (const target of targets) await trouble(target, { reason, platformCode: 'E1' });
    const entries = await list('de');
    const failing = { message: 'platform_unavailable', detail: expect.stringMatching(/^\S.*\(E1\)$/) };
    expect(entries).toMatchObject([
      {
        kind: 'post_trouble',
        resolved: false,
        resolvedAt: null,
        moment: expect.any(String),
        post: {
          accounts: 2,
          failed: [],
          troubled: [
            { id: account.id, ...failing },
            { id: other.id, ...failing },
          ],
        },
      },
    ]);
    expect(entries[0].post.troubled[0].detail).not.toBe((await list())[0].post.troubled[0].detail);
  });

  test('is one notification for each account and cause', async () => {
    const [first] = await begin(account);
    const [second] = await begin(account);
    for (const attempts of [2, 3]) {
      await trouble(first, { attempts });
      await trouble(second, { attempts });
    }
    expect(await facts()).toHaveLength(1);
    await trouble(second, { code: 'outcome_unknown' });
    await trouble(second, { code: 'platform_unavailable' });
    expect((await facts()).map(({ cause }) => cause)).toEqual(['platform_unavailable', 'outcome_unknown']);
    await end(first);
    await trouble(second, { attempts: 4 });
    expect((await facts()).map(({ open }) => open)).toEqual([false, true, true]);
  });

  test('is resolved and read when it recovers', async () => {
    const [target, other] = await begin(account, await addReadyAccount(service.db, user.userId));
    await trouble(target);
    await trouble(other);
    await end(target);
    expect([await unread(), await list()]).toMatchObject([1, [{ resolved: false, read: false }]]);
    await end(other);
    const [entry] = await list();
    expect([await unread(), entry]).toMatchObject([0, { resolved: true, read: true, post: { troubled: [] } }]);
    expect(Date.parse(entry.resolvedAt)).toBeGreaterThanOrEqual(Date.parse(entry.moment));
  });

  test('ends as a failed post', async () => {
    const [target] = await begin(account);
    await trouble(target);
    await failTarget(service.db, target ?? '');
    const entries = await list();
    expect(entries.map(({ kind, resolved }: Entry & { resolved: boolean }) => [kind, resolved])).toEqual([
      ['post_failed', false],
      ['post_trouble', true],
    ]);
    expect(await unread()).toBe(1);
  });
});

test('a worker notifies while the platform refuses its requests', async () => {
  const world = await createWorld({ connector, module: simulator });
  try {
    world.simulator.faults.add({
      when: ({ path }) => path === '/api/v2/media',
      times: 2,
      fault: { kind: 'status', answer: { status: 503, headers: {}, body: {} } },
    });
    const target = await world.post();
    const worker = await world.worker();
    const [row] = await world.db.query<{ id: string }>('select user_id as id from target where id = $1', [target]);
    const entries = async () =>
      (await entryPage({ db: world.db, connectors }, row?.id ?? '', { limit: 10 })).entries.map(
        ({ kind, isResolved, post }) => ({ kind, isResolved, troubled: post?.troubled.length }),
      );
    await worker.runUntilIdle();
    expect(await entries()).toEqual([]);
    await world.advanceToNextDue();
    await worker.runUntilIdle();
    expect(await entries()).toEqual([{ kind: 'post_trouble', isResolved: false, troubled: 1 }]);
    await world.settle(worker, target);
    expect((await world.target(target)).state).toBe('posted');
    expect(await entries()).toEqual([{ kind: 'post_trouble', isResolved: true, troubled: 0 }]);
  } finally {
    await world.close();
  }
});
