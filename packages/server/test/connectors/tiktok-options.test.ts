import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import type { JsonObject } from '../../src/connectors/contract.ts';
import { options } from '../../src/connectors/tiktok/limits.ts';
import { isInit, startTikTok, type TikTok } from './tiktok-driver.ts';
import { walkThrough } from './walk.ts';

const start = closedAfterTest(startTikTok);

const ALL = {
  privacy: 'MUTUAL_FOLLOW_FRIENDS',
  disableComment: true,
  disableDuet: true,
  disableStitch: true,
  brandOrganic: true,
  brandContent: true,
  aiGenerated: true,
  coverAtMs: 2_500,
};

const ALLOWED = { privacy: 'PUBLIC_TO_EVERYONE', comment: 'on', duet: 'on', stitch: 'on' };

const namesOf = (wishes: object) => Object.entries(wishes).flatMap(([name, value]) => (value === true ? [name] : []));

/** What the first post asked for. */
const wishes = async (tiktok: TikTok) => namesOf((await tiktok.tasks())[0]?.wishes ?? {});

describe('post options', () => {
  test('all options are optional, and unknown ones are rejected', () => {
    expect(options.parse({})).toEqual({});
    expect(options.parse(ALL)).toEqual(ALL);
    for (const wrong of [
      { privacy: 'PUBLIC' },
      { disableComment: 'yes' },
      { coverAtMs: -1 },
      { coverAtMs: 0.5 },
      { coverAtMs: 2 ** 31 },
      { nonsense: true },
      { brandContent: true, privacy: 'SELF_ONLY' },
    ])
      expect(options.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
  });

  test('all options are sent to TikTok', async () => {
    const tiktok = await start();
    const walk = await walkThrough(tiktok, await tiktok.work('caption', { options: ALL }));
    expect(walk.state).toBe('posted');
    expect((await tiktok.tasks())[0]).toMatchObject({
      privacy: 'MUTUAL_FOLLOW_FRIENDS',
      wishes: {
        noComments: true,
        noDuets: true,
        noStitches: true,
        ownBusiness: true,
        partnership: true,
        byMachine: true,
        coverAtMs: 2_500,
      },
    });
  });

  test.each([
    ['brandOrganic', 'ownBusiness'],
    ['brandContent', 'partnership'],
    ['aiGenerated', 'byMachine'],
  ])('%s alone sets one field', async (name, meant) => {
    const tiktok = await start();
    await walkThrough(tiktok, await tiktok.work('caption', { choices: ALLOWED, options: { [name]: true } }));
    expect(await wishes(tiktok)).toEqual([meant]);
  });

  test('lists a public video as AI-generated', async () => {
    const tiktok = await start();
    const work = await tiktok.work('made', { options: { aiGenerated: true } });
    expect((await walkThrough(tiktok, work)).state).toBe('posted');
    const listed = await work.session.http({
      method: 'POST',
      url: `${work.session.endpoints.api}/v2/video/list/?fields=id,is_aigc`,
      headers: { authorization: `Bearer ${work.session.secret.accessToken}` },
      json: { max_count: 5 },
    });
    expect(listed.json()).toMatchObject({ data: { videos: [{ is_aigc: true }] } });
  });
});

describe('comments, duets and stitches', () => {
  const ALL_OFF = ['noComments', 'noDuets', 'noStitches'];

  test('are off without a setting', async () => {
    const tiktok = await start();
    await walkThrough(tiktok, await tiktok.work('caption'));
    expect(await wishes(tiktok)).toEqual(ALL_OFF);
  });

  test.each([
    ['comment', 'disableComment', 'noComments'],
    ['duet', 'disableDuet', 'noDuets'],
    ['stitch', 'disableStitch', 'noStitches'],
  ])("the account's setting or the post's option turns %s on", async (name, option, wish) => {
    const tiktok = await start();
    const others = ALL_OFF.filter((each) => each !== wish);
    const asked = async (choices: Record<string, string>, options: JsonObject) => {
      await walkThrough(
        tiktok,
        await tiktok.work('caption', { choices: { privacy: 'SELF_ONLY', ...choices }, options }),
      );
      const latest = (await tiktok.tasks()).at(-1)?.wishes ?? {};
      for (const { key } of await tiktok.store.list('task', { limit: 10 })) await tiktok.store.remove('task', key);
      return namesOf(latest);
    };
    expect(await asked({ [name]: 'on' }, {})).toEqual(others);
    expect(await asked({}, { [option]: false })).toEqual(others);
    expect(await asked({ [name]: 'on' }, { [option]: true })).toEqual(ALL_OFF);
  });

  test('a post cannot enable what the creator has disabled', async () => {
    const tiktok = await start();
    await tiktok.changeAccount({ commentDisabled: true });
    const work = await tiktok.work('caption', { choices: ALLOWED, options: { disableComment: false } });
    await walkThrough(tiktok, work);
    expect((await tiktok.tasks())[0]?.wishes.noComments).toBe(true);
  });
});

describe('privacy', () => {
  test("the post's privacy overrides the account's", async () => {
    const tiktok = await start();
    const work = await tiktok.work('for friends', { options: { privacy: 'MUTUAL_FOLLOW_FRIENDS' } });
    const walk = await walkThrough(tiktok, work);
    // Only public posts get a URL.
    expect(walk).toMatchObject({ state: 'posted', published: { remoteId: null, url: null } });
    expect((await tiktok.tasks())[0]?.privacy).toBe('MUTUAL_FOLLOW_FRIENDS');
  });

  test('the post alone may set the privacy, without a default', async () => {
    const tiktok = await start();
    const none = { choices: {} };
    const said = await tiktok.work('said', { ...none, options: { privacy: 'SELF_ONLY' } });
    expect((await walkThrough(tiktok, said)).state).toBe('posted');
    const before = tiktok.requests.filter(isInit).length;
    const unsaid = await walkThrough(tiktok, await tiktok.work('unsaid', none));
    expect(unsaid).toMatchObject({ state: 'failed', failure: { kind: 'setup' } });
    expect(tiktok.requests.filter(isInit)).toHaveLength(before);
  });

  test('a disallowed privacy fails before an upload is opened', async () => {
    const tiktok = await start();
    const work = await tiktok.work('mine', { options: { privacy: 'FOLLOWER_OF_CREATOR' } });
    const walk = await walkThrough(tiktok, work);
    expect(walk).toMatchObject({ state: 'failed', failure: { kind: 'setup' } });
    expect(tiktok.requests.filter(isInit)).toEqual([]);
  });

  test('branded content is rejected with a private account setting', async () => {
    const tiktok = await start();
    const asked: JsonObject = { brandContent: true };
    const work = await tiktok.work('paid', { choices: { privacy: 'SELF_ONLY' }, options: asked });
    const walk = await walkThrough(tiktok, work);
    expect(walk).toMatchObject({ state: 'failed', failure: { kind: 'rejected', what: 'policy' } });
    expect(tiktok.requests.filter(isInit)).toEqual([]);
  });
});
