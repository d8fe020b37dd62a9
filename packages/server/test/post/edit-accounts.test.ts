import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AccountRow } from '../harness/rows.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { addReadyAccount, queuePost, startPostService } from './world.ts';

let service: TestService;
let user: TestUser;
let accounts: AccountRow[];
let postId: string;
let at: number;
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newUser();
  const platforms = ['tiktok', 'youtube', 'telegram'];
  accounts = await Promise.all(platforms.map((platform) => addReadyAccount(service.db, user.userId, { platform })));
  at = (await service.db.clock.now()).getTime() + 3_600_000;
  postId = await queuePost(service, user.userId, accounts.slice(0, 2), {
    at,
    description: 'First light',
    options: { youtube: { title: 'Light' }, tiktok: { caption: 'On air' } },
  });
});
afterAll(() => service.close());

const idOf = (index: number) => accounts[index]?.id ?? '';
const edit = (json: unknown, id = postId) => user.call('PATCH', `/post/${id}`, { json });
const refusal = async (json: unknown) => {
  const { status, body } = await edit(json);
  return `${status} ${body.code}`;
};
interface Row {
  id: string;
  account_id: string;
  version: number;
  caption: string | null;
  options: unknown;
  content_key: string;
  due_at: Date;
  state: string;
}
const targets = (id = postId) =>
  service.db.query<Row>(
    `select id, account_id, version, caption, options, content_key, due_at, state from target where post_id = $1
     order by position`,
    [id],
  );
const events = async (index: number) => {
  const { body } = await user.get(`/post/${postId}`);
  const found = body.data.targets.find(({ platformId }: { platformId: string }) => platformId === idOf(index));
  return found.timeline.map(({ message }: { message: { code: string } }) => message.code);
};

describe('accounts', () => {
  test('an account is added, another one is removed', async () => {
    const [, kept] = await targets();
    const { status, body } = await edit({ platforms: [idOf(2), idOf(1)] });
    expect(status).toBe(200);
    expect(body.data.result.map(({ id }: { id: string }) => id)).toEqual([idOf(2), idOf(1)]);
    const [added, after] = await targets();
    expect(after).toMatchObject({ id: kept?.id, options: { title: 'Light' } });
    expect(after?.version).toBeGreaterThan(Number(kept?.version));
    expect(added).toMatchObject({ state: 'scheduled', due_at: new Date(at), caption: null, options: {} });
    expect(await events(2)).toEqual(['scheduled']);
    const [lane] = await service.db.query('select next_due_at from lane where identity_id = $1', [
      accounts[2]?.identityId,
    ]);
    expect(lane).toEqual({ next_due_at: new Date(at) });
  });

  test('another order is kept', async () => {
    const before = await targets();
    const { body } = await edit({ platforms: [idOf(1), idOf(0), idOf(1)] });
    expect(body.data.result.map(({ id }: { id: string }) => id)).toEqual([idOf(1), idOf(0)]);
    expect((await targets()).map(({ id }) => id)).toEqual(before.map(({ id }) => id).reverse());
  });

  test('a failed account that is listed starts over', async () => {
    await service.db.execute(
      `update target set state = 'failed', code = 'reconnect_required', due_at = null, settled_at = app_now()
       where post_id = $1 and account_id = $2`,
      [postId, idOf(0)],
    );
    const told = () =>
      service.db.query('select kind from notification where post_id = $1 and account_id = $2', [postId, idOf(0)]);
    expect(await told()).toEqual([{ kind: 'post_failed' }]);
    expect((await edit({ description: 'Dawn' })).body.data.result[0]).toMatchObject({ status: 'FAILED' });
    const { body } = await edit({ platforms: [idOf(0), idOf(1)] });
    expect(body.data.result.map(({ status }: { status: string }) => status)).toEqual(['PENDING', 'PENDING']);
    expect(await events(0)).toEqual(['scheduled']);
    expect(await told()).toEqual([]);
  });

  test('an added account posts at the new time', async () => {
    const later = at + 86_400_000;
    await edit({ platforms: [idOf(0), idOf(2)], scheduled: later });
    expect((await targets()).map(({ due_at }) => due_at)).toEqual([new Date(later), new Date(later)]);
    expect((await edit({ platforms: [idOf(0), idOf(1)], scheduled: null })).body.data.scheduled).toBe(false);
    expect(await events(1)).toEqual(['queued']);
  });

  test('a waiting account that was disconnected stays', async () => {
    await service.db.execute(`update account set status = 'DISCONNECTED' where id = any($1::uuid[])`, [
      [idOf(0), idOf(2)],
    ]);
    expect((await edit({ platforms: [idOf(0), idOf(1)] })).status).toBe(200);
    expect(await refusal({ platforms: [idOf(0), idOf(2)] })).toBe('409 platform_not_connected');
  });

  test('the number of posts of the plan stays', async () => {
    const used = () => service.db.query('select posts from usage where user_id = $1', [user.userId]);
    const before = await used();
    await edit({ platforms: [idOf(2)] });
    expect(await used()).toEqual(before);
  });
});

describe('options', () => {
  test('captions and options are replaced', async () => {
    const options = { tiktok: { disableDuet: true }, [idOf(1)]: { caption: 'Tonight', title: 'Night' } };
    const { body } = await edit({ options });
    expect(body.data.targets).toMatchObject([
      { options: { disableDuet: true } },
      { caption: 'Tonight', options: { title: 'Night' } },
    ]);
    expect(body.data.targets[0].caption).toBeUndefined();
    expect(await events(0)).toEqual(['scheduled', 'options_changed']);
  });

  test('equal options leave no line in the timeline', async () => {
    await edit({ options: { youtube: { title: 'Light' }, tiktok: { caption: 'Off air' } } });
    expect([await events(0), await events(1)]).toEqual([['scheduled', 'options_changed'], ['scheduled']]);
  });

  test('its new text identifies the content of a target', async () => {
    const first = await targets();
    await edit({ options: {}, description: 'On air' });
    // TikTok had the text that is now the description.
    expect(await targets()).toMatchObject([
      { content_key: first[0]?.content_key },
      { content_key: first[0]?.content_key },
    ]);
    await edit({ options: { tiktok: { caption: 'First light' } } });
    expect(await targets()).toMatchObject([
      { content_key: first[1]?.content_key },
      { content_key: first[0]?.content_key },
    ]);
  });
});

describe('reposts', () => {
  beforeEach(() =>
    service.db.execute(`update post set is_repost = true, content_text = 'Source' where id = $1`, [postId]),
  );

  test('options of a repost change, its content stays', async () => {
    const before = await targets();
    expect((await edit({ options: { tiktok: { caption: 'Again' } } })).status).toBe(200);
    const after = await targets();
    expect(after.map(({ caption }) => caption)).toEqual(['Again', null]);
    expect(after.map(({ content_key: key }) => key)).toEqual(before.map(({ content_key: key }) => key));
  });

  test.each([
    ['accounts', () => ({ platforms: [idOf(0)] })],
    ['cover', () => ({ previewTime: 1 })],
    ['video', () => ({ uploadId: idOf(0) })],
  ])('a repost keeps its %s', async (_, json) => {
    const before = await targets();
    expect(await refusal(json())).toBe('409 not_editable');
    expect(await targets()).toEqual(before);
  });
});

describe('one refused change', () => {
  test.each([
    ['no account', () => ({ platforms: [] }), '400 invalid_request'],
    ['an account that is none', () => ({ platforms: ['x'] }), '404 unknown_platform'],
    ['more than 50 accounts', () => ({ platforms: Array.from({ length: 51 }, () => idOf(0)) }), '400 invalid_request'],
    ['options without an account', () => ({ options: { vimeo: {} } }), '400 invalid_request'],
    [
      'options of an account that is removed',
      () => ({ platforms: [idOf(0)], options: { youtube: {} } }),
      '400 invalid_request',
    ],
    ['an option that does not exist', () => ({ options: { youtube: { titel: 'x' } } }), '400 invalid_request'],
    ['an option that is no object', () => ({ options: { youtube: 'x' } }), '400 invalid_request'],
    [
      'a caption over the limit',
      () => ({ options: { tiktok: { caption: 'x'.repeat(2_201) } } }),
      '400 caption_too_long',
    ],
    [
      'a text over the limit of a new account',
      () => ({ platforms: [idOf(2)], description: 'x'.repeat(1_025) }),
      '400 caption_too_long',
    ],
    ['a negative cover time', () => ({ previewTime: -1 }), '400 invalid_request'],
    ['a cover time that is text', () => ({ previewTime: '1' }), '400 invalid_request'],
    ['a fit without a video', () => ({ fit: 'crop' }), '400 invalid_request'],
    ['a part without a video', () => ({ trimStart: 1 }), '400 invalid_request'],
    [
      'a part that ends before it starts',
      () => ({ trimStart: 5, trimEnd: 4, uploadId: idOf(0) }),
      '400 invalid_request',
    ],
    ['a frame outside the picture', () => ({ cropPosition: 2, uploadId: idOf(0) }), '400 invalid_request'],
    ['a fit that does not exist', () => ({ fit: 'stretch', uploadId: idOf(0) }), '400 invalid_request'],
    ['an upload id that is none', () => ({ uploadId: "x' --" }), '404 unknown_upload'],
    ['a missing upload', () => ({ uploadId: idOf(0) }), '404 unknown_upload'],
    [
      'a missing upload with a bad option',
      () => ({ uploadId: idOf(0), options: { vimeo: {} } }),
      '400 invalid_request',
    ],
    ['a video file that is gone', () => ({ previewTime: 1 }), '410 video_gone'],
  ])('%s refuses all changes', async (_, json, expected) => {
    const before = [await targets(), (await user.get(`/post/${postId}`)).body.data];
    expect(await refusal({ description: 'Changed', scheduled: at + 1, ...json() })).toBe(expected);
    expect([await targets(), (await user.get(`/post/${postId}`)).body.data]).toEqual(before);
  });

  test('accounts of other users are unknown', async () => {
    const other = await addReadyAccount(service.db, (await service.newUser()).userId);
    expect(await refusal({ platforms: [other.id] })).toBe('404 unknown_platform');
  });

  test('a setting that is missing refuses a new account', async () => {
    const bare = await addReadyAccount(service.db, user.userId, { platform: 'pinterest' });
    await service.db.execute(`update account set choices = '{}' where id = $1`, [bare.id]);
    expect(await refusal({ platforms: [bare.id] })).toBe('409 setup_needed');
    expect((await edit({ platforms: [bare.id], options: { pinterest: { board: '11' } } })).status).toBe(200);
  });

  test.each(['working', 'posted'])('a post that is %s on one account', async (state) => {
    const over = state === 'posted' ? 'due_at = null' : 'begun_at = app_now()';
    await service.db.execute(`update target set state = $2, ${over} where post_id = $1 and account_id = $3`, [
      postId,
      state,
      idOf(0),
    ]);
    expect(await refusal({ platforms: [idOf(1)] })).toBe('409 not_editable');
    expect(await targets()).toHaveLength(2);
  });
});
