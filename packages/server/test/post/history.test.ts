import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cancelPost } from '../../src/posts/cancel.ts';
import { removePost } from '../../src/posts/change.ts';
import { historyPage } from '../../src/posts/history.ts';
import { presentation } from '../harness/message.ts';
import { type AccountRow, addMedia, addPost } from '../harness/rows.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { makeVideo } from '../media/fixtures.ts';
import { addHistory, addReadyAccount, queuePost, sendPost, startPostService } from './world.ts';

let service: TestService;
let user: TestUser;
let account: AccountRow;
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newUser();
  account = await addReadyAccount(service.db, user.userId, { username: 'nora', avatar: 'x.png' });
});
afterAll(() => service.close());

const DAY = Date.UTC(2026, 7, 1);
let entries = 0;

describe('an entry', () => {
  test('has the documented fields', async () => {
    const { body } = await sendPost(user, { to: [account.id], fields: [['description', 'Hallo']] });
    const { body: history } = await user.get('/post/history');
    expect(history.total).toBe(1);
    expect(history.data).toEqual([
      {
        id: body.historyId,
        description: 'Hallo',
        filename: expect.stringMatching(/^[0-9a-f-]{36}\.jpg$/),
        result: [
          {
            platform: 'tiktok',
            usernameImage: `${service.url}/api/v1/media/x.png`,
            id: account.id,
            username: 'nora',
            displayName: 'Name of nora',
            status: 'PENDING',
          },
        ],
        scheduled: false,
        date: body.date,
      },
    ]);
  });

  /** Sets columns of a new post's only target. @returns how the history shows it */
  async function told(columns: string): Promise<Record<string, unknown>> {
    const ids = await addHistory(service.db, user.userId, account, [{ at: DAY + entries++ }]);
    await service.db.execute(
      `update target set state = 'posted', due_at = null, url = null, published_at = null where post_id = any($1::uuid[])`,
      [ids],
    );
    await service.db.execute(`update target set ${columns} where post_id = any($1::uuid[])`, [ids]);
    const { platform, usernameImage, id, username, displayName, ...rest } = (await user.get('/post/history')).body
      .data[0].result[0];
    return rest;
  }

  test.each(['scheduled', 'working', 'waiting', 'committing', 'confirming', 'unknown'])(
    'with a target in %s is PENDING without details',
    async (state) => {
      expect(await told(`state = '${state}', due_at = app_now(), detail = 'x'`)).toEqual({ status: 'PENDING' });
    },
  );

  test('that succeeded has URL and time', async () => {
    const posted = `state = 'posted', due_at = null, url = 'https://tiktok.test/1', published_at = '2026-08-01T10:00:00Z'`;
    expect(await told(posted)).toEqual({
      status: 'SUCCESS',
      url: 'https://tiktok.test/1',
      publishedAt: '2026-08-01T10:00:00.000Z',
    });
    expect(await told(`${posted}, detail = 'Only followers see it.'`)).toMatchObject({
      detail: 'Only followers see it.',
    });
    expect(await told(`state = 'posted', due_at = null, published_at = '2026-08-01T10:00:00Z'`)).toEqual({
      status: 'SUCCESS',
      publishedAt: '2026-08-01T10:00:00.000Z',
    });
  });

  test("that failed has a code and the platform's message", async () => {
    const failed = `state = 'failed', due_at = null, code = 'video_rejected', detail = 'Too dark.'`;
    expect(await told(failed)).toEqual({ status: 'FAILED', message: 'video_rejected', detail: 'Too dark.' });
    expect(await told(`${failed}, platform_code = 'E7'`)).toMatchObject({ detail: 'Too dark. (E7)' });
    expect(await told(`${failed}, platform_code = 'dark'`)).toMatchObject({ detail: 'Too dark.' });
  });

  test('created by a rule names the source post', async () => {
    const id = await queuePost(service, user.userId, [account]);
    await service.db.execute(`update post set repost_of = $1, is_repost = true where id = $1`, [id]);
    expect((await user.get('/post/history')).body.data[0]).toMatchObject({
      repostOf: id,
      scheduled: false,
    });
  });

  test('of another user is not visible', async () => {
    const id = await queuePost(service, user.userId, [account]);
    const other = await service.newUser();
    expect((await other.get('/post/history')).body).toEqual({ success: true, data: [], total: 0 });
    expect((await other.get(`/post/${id}`)).body.code).toBe('unknown_post');
  });
});

describe('one post', () => {
  test("shows every target's timeline and next attempt", async () => {
    const video = await makeVideo({ width: 360, height: 640, fps: 25, picture: 'plain' });
    const { body } = await sendPost(user, { to: [account.id], video });
    const [target] = await service.db.query<{ id: string }>('select id from target where post_id = $1', [
      body.historyId,
    ]);
    await service.db.execute(
      `insert into timeline (target_id, event, text, platform_code) values ($1, 'retry', 'Busy.', '429')`,
      [target?.id],
    );
    const { data } = (await user.get(`/post/${body.historyId}`)).body;
    expect(data.targets).toEqual([
      {
        platformId: account.id,
        status: 'PENDING',
        nextAttemptAt: body.date,
        timeline: [
          {
            at: expect.stringMatching(/Z$/),
            event: 'queued',
            text: 'Queued.',
            message: { code: 'queued', params: {} },
          },
          // Written before messages had codes.
          { at: expect.stringMatching(/Z$/), event: 'retry', text: 'Busy.', platformCode: '429' },
        ],
      },
    ]);
  });

  test.each(['nothing', '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b', '%20', 'a'.repeat(400)])(
    'with a missing id (%s) is unknown',
    async (id) => {
      const { status, body } = await user.get(`/post/${id}`);
      expect(`${status} ${body.code}`).toBe('404 unknown_post');
    },
  );

  test('an id with U+0000 in it is malformed', async () => {
    expect((await user.get('/post/a%00b')).body.code).toBe('invalid_request');
  });
});

describe('pages', () => {
  test.each(['0', '-1', 'x', '', '1.5', '1e3', '9'.repeat(16)])('page "%s" is rejected', async (page) => {
    expect((await user.get('/post/history', { page })).body.code).toBe('invalid_request');
  });

  test('a page past the end is empty with the total', async () => {
    await addHistory(service.db, user.userId, account, [{ at: DAY }]);
    for (const page of [2, 3, 999_999_999_999_999])
      expect((await user.get('/post/history', { page })).body).toEqual({ success: true, data: [], total: 1 });
  });

  test('unknown parameters are ignored', async () => {
    expect((await user.get('/post/history', { limit: 'x' })).status).toBe(200);
  });

  test('every entry is on exactly one page, in order', async () => {
    const moments = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 47 });
    await fc.assert(
      fc.asyncProperty(moments, async (offsets) => {
        const owner = await service.newUser();
        const own = await addReadyAccount(service.db, owner.userId);
        const entries = offsets.map((offset) => ({ at: DAY + offset }));
        const ids = await addHistory(service.db, owner.userId, own, entries);
        const model = ids
          .map((id, index) => ({ id, at: entries[index]?.at ?? 0 }))
          .sort((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
          .map(({ id }) => id);
        for (let page = 1; page <= Math.ceil(ids.length / 10) + 1; page++) {
          const { data, total } = await historyPage(service.db, owner.userId, page, presentation);
          expect(total).toBe(ids.length);
          expect(data.map(({ id }) => id)).toEqual(model.slice((page - 1) * 10, page * 10));
        }
      }),
      { numRuns: 25 },
    );
  });

  test('the total equals the number of entries after any change', async () => {
    const { db } = service;
    const step = fc.oneof(
      fc.constant({ what: 'post' as const }),
      fc.constant({ what: 'schedule' as const }),
      fc.record({ what: fc.constantFrom('cancel' as const, 'remove' as const), which: fc.nat(9) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const owner = await service.newUser();
        const own = await addReadyAccount(db, owner.userId);
        const model = new Map<string, 'posted' | 'scheduled'>();
        for (const each of steps) {
          if (each.what === 'post' || each.what === 'schedule') {
            const state = each.what === 'post' ? 'posted' : 'scheduled';
            const media = await addMedia(db, owner.userId);
            const dueInMs = each.what === 'schedule' ? 60_000 : 0;
            const { id } = await addPost(db, {
              userId: owner.userId,
              mediaId: media.id,
              accounts: [own],
              state,
              dueInMs,
            });
            model.set(id, state);
            continue;
          }
          const id = [...model.keys()][each.which];
          if (!id) continue;
          const may = model.get(id) === (each.what === 'cancel' ? 'scheduled' : 'posted');
          const change = each.what === 'cancel' ? cancelPost : removePost;
          const done = await change(service.context, owner.userId, id).then(
            () => true,
            () => false,
          );
          expect(done).toBe(may);
          if (done) model.delete(id);
        }
        const { data, total } = await historyPage(db, owner.userId, 1, presentation);
        expect(total).toBe(model.size);
        expect(new Set(data.map(({ id }) => id))).toEqual(new Set([...model.keys()].slice(-10)));
        const [used] = await db.query('select posts from usage where user_id = $1', [owner.userId]);
        const cancelled = await db.query('select from cancelled where user_id = $1', [owner.userId]);
        const accepted = steps.filter(({ what }) => what === 'post' || what === 'schedule').length;
        expect(used?.posts ?? 0).toBe(accepted - cancelled.length);
      }),
      { numRuns: 25 },
    );
  });
});
