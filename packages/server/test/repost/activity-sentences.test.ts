/** What the activity of a rule says in each constellation, in the words that its user reads. */
import { expect, test } from 'vitest';
import { DAY, HOUR } from '../../src/lib/time.ts';
import { errorMessage } from '../../src/messages/error-texts.ts';
import { RULE_MESSAGES, say } from '../../src/messages/rules.ts';
import type { AccountRow } from '../harness/rows.ts';
import type { TestUser } from '../harness/service.ts';
import { queuePost } from '../post/world.ts';
import { setUpRules } from './rule-scene.ts';
import type { RuleWorld } from './rule-world.ts';

let world: RuleWorld;
let user: TestUser;
let a: AccountRow;
let b: AccountRow;
let c: AccountRow;
setUpRules((scene) => {
  ({ world, user, a, b, c } = scene);
});

const execute = (sql: string, values: unknown[] = []) => world.service.db.execute(sql, values);
const clock = () => world.service.db.clock;
const now = async () => (await clock().now()).getTime();
/** A time of day, as quiet hours have it. */
const hourOf = (ms: number) => `${String(new Date(ms).getUTCHours()).padStart(2, '0')}:00`;

/** A rule that has reposted a post to two accounts. */
async function reposted(): Promise<string> {
  const id = await world.rule(user, a, [b, c]);
  await world.own(user, a);
  await world.fire();
  return id;
}

/** A rule that has decided about its own post. */
async function decided(options: object, text?: string, sent?: Parameters<RuleWorld['own']>[3]): Promise<string> {
  const id = await world.rule(user, a, [b], options);
  await world.own(user, a, text, sent);
  await world.fire();
  return id;
}

/** A rule that has decided about a found post. */
async function found(post: Parameters<RuleWorld['foreign']>[1], options: object = {}): Promise<string> {
  const id = await world.rule(user, a, [b], options);
  await world.foreign(a, post);
  await world.settle(user);
  return id;
}

/** A rule whose requested download ended with a problem. */
async function failed(problem: NonNullable<Parameters<RuleWorld['download']>[1]>): Promise<string> {
  const id = await world.rule(user, a, [b]);
  await world.foreign(a, {});
  await world.fire();
  await world.download(user, problem);
  await world.fire();
  return id;
}

/** A rule with two selected older posts, which another rule has seen. */
async function older(): Promise<string> {
  await world.rule(user, a, [c]);
  await world.foreign(a, { text: 'Old' }, { text: 'Newer' });
  await clock().advance(HOUR);
  const id = await world.rule(user, a, [b]);
  const found = await world.service.db.query<{ id: string }>('select id from watched_post where identity_id = $1', [
    a.identityId,
  ]);
  const items = found.map((post) => post.id);
  const backCatalog = { items, order: 'oldest', perDay: 1 };
  const response = await user.call('PATCH', `/repost/${id}`, { json: { options: { backCatalog } } });
  expect(response.body).toMatchObject({ success: true });
  return id;
}

/** What must happen for a sentence about the newest item of a rule. `TIME` and `NAME` stand for what differs. */
const CONSTELLATIONS: Record<string, [sentence: string, happens: () => Promise<string>]> = {
  'a post is queued on its destinations': ['Being reposted to Mastodon @NAME, Bluesky @NAME.', reposted],
  'all destinations have it': [
    'Reposted to Mastodon @NAME, Bluesky @NAME.',
    async () => {
      const id = await reposted();
      for (const account of [b, c]) await world.settleReposts(user, account, 'posted');
      return id;
    },
  ],
  'one destination refused it': [
    'Reposted to Mastodon @NAME. Failed on Bluesky @NAME.',
    async () => {
      const id = await reposted();
      await world.settleReposts(user, b, 'posted');
      await world.settleReposts(user, c, 'failed', 'The video was rejected.');
      return id;
    },
  ],
  'all destinations refused it': [
    'The repost failed. The account is gone.',
    async () => {
      const id = await reposted();
      for (const account of [b, c]) await world.settleReposts(user, account, 'failed', 'The account is gone.');
      return id;
    },
  ],
  'its user removed the repost from the history': [
    'Reposted. The repost was later removed from the history.',
    async () => {
      const id = await reposted();
      for (const account of [b, c]) await world.settleReposts(user, account, 'posted');
      const [item] = await world.activity(user, id);
      await user.call('DELETE', `/post/${item?.postId}`);
      return id;
    },
  ],
  'the source was deleted after the repost began': [
    'Being reposted to Mastodon @NAME. The source post was deleted later. Its reposts remain.',
    async () => {
      const id = await found({});
      await execute('update target set begun_at = app_now() where user_id = $1', [user.userId]);
      await world.removeAll(a);
      return id;
    },
  ],
  'the caption was edited after the repost began': [
    'Being reposted to Mastodon @NAME. The caption was edited later on the source. Its reposts remain unchanged.',
    async () => {
      const id = await found({ remoteId: `edited-${user.userId}`, text: 'Before' });
      await execute('update target set begun_at = app_now() where user_id = $1', [user.userId]);
      await world.foreign(a, { remoteId: `edited-${user.userId}`, text: 'After' });
      return id;
    },
  ],
  'it comes to more accounts when the rule is resumed': [
    'Being reposted to Bluesky @NAME. More accounts follow. The rule is paused. Waiting until it is resumed.',
    async () => {
      const other = await world.account(user);
      const first = await world.rule(user, other, [b]);
      const id = await world.rule(user, a, [b, c]);
      for (const source of [other, a]) {
        await world.foreign(source, { text: 'Sunset over the bay' });
        await world.settle(user);
      }
      await user.post('/repost/pause', { id, isPaused: true });
      expect(await user.post('/repost/delete', { id: first })).toMatchObject({ status: 200 });
      await world.fire();
      return id;
    },
  ],
  'the loop has not looked yet': [
    'Waiting to be processed.',
    async () => {
      const id = await world.rule(user, a, [b]);
      await world.own(user, a);
      return id;
    },
  ],
  'the rule delays': ['Waiting until TIME, as the rule says.', () => decided({ delayMinutes: 30 })],
  'the hours are quiet': [
    'Waiting until TIME, when the quiet hours end.',
    async () => {
      const at = await now();
      return decided({ quietHours: { from: hourOf(at - HOUR), to: hourOf(at + 2 * HOUR), zone: 'UTC' } });
    },
  ],
  'the limit of the day is reached': [
    'The rule reposts at most 1 a day. Waiting until TIME.',
    async () => {
      const id = await decided({ maxPerDay: 1 }, 'First');
      await world.own(user, a, 'Second');
      await world.fire();
      return id;
    },
  ],
  'it waited for three days': [
    'Skipped: it waited longer than 3 days for the limit of 1 a day.',
    async () => {
      const id = await decided({ maxPerDay: 1 }, 'First');
      for (const text of ['2', '3', '4', '5', '6', '7']) await world.own(user, a, text);
      for (let day = 0; day < 5; day++) {
        await world.fire();
        await clock().advance(DAY);
      }
      return id;
    },
  ],
  'an older post waits for its time': [
    'From the back catalog. Waiting until TIME.',
    async () => {
      const id = await older();
      await world.settle(user);
      await execute(`update firing set due_at = app_now() where rule_id = $1 and state = 'waiting'`, [id]);
      await world.fire();
      return id;
    },
  ],
  'another older post is ahead': [
    'From the back catalog. Waiting for its turn.',
    async () => {
      const id = await older();
      await world.fire();
      return id;
    },
  ],
  'the rule is paused while it waits': [
    'The rule is paused. Waiting until it is resumed.',
    async () => {
      const id = await decided({ delayMinutes: 30 });
      await user.post('/repost/pause', { id, isPaused: true });
      return id;
    },
  ],
  'it was posted during a pause': [
    'Skipped: posted while the rule was paused.',
    async () => {
      const id = await world.rule(user, a, [b]);
      await user.post('/repost/pause', { id, isPaused: true });
      await world.own(user, a);
      return id;
    },
  ],
  'it may be a post of unknown outcome': [
    'Waiting, because an earlier post on this account has an unknown outcome and may be this one.',
    async () => {
      const id = await world.rule(user, a, [b]);
      const postId = await queuePost(world.service, user.userId, [a], { description: 'Whose?' });
      await execute(
        `update target set state = 'unknown', begun_at = app_now(), committed_at = app_now() where post_id = $1`,
        [postId],
      );
      await world.foreign(a, { text: 'Whose?', durationMs: null });
      return id;
    },
  ],
  'its video is downloaded': [
    'Downloading the video from the platform.',
    async () => {
      const id = await world.rule(user, a, [b]);
      await world.foreign(a, {});
      await world.fire();
      return id;
    },
  ],
  'a download is tried again': [
    'The download failed. connection reset Trying to download the video again at TIME.',
    async () => {
      const id = await world.rule(user, a, [b]);
      await world.foreign(a, {});
      await world.fire();
      await execute(`update source_file set problem = $2, due_at = app_now() + interval '1 hour' where user_id = $1`, [
        user.userId,
        say('download_failed', { reason: 'connection reset' }),
      ]);
      return id;
    },
  ],
  'it lacks the words of a filter': [
    'Skipped: the caption contains none of “coast”, “sea”.',
    () => decided({ filters: { contains: ['coast', 'sea'] } }, 'Alps'),
  ],
  'it has a word of a filter': [
    'Skipped: the caption contains “ad”.',
    () => decided({ filters: { excludes: ['ad'] } }, 'An ad'),
  ],
  'it lacks the hashtags of a filter': [
    'Skipped: the caption has none of the hashtags #sea.',
    () => decided({ filters: { hashtags: ['sea'] } }, 'Alps #snow'),
  ],
  'it is too short for a filter': [
    'Skipped: the video is 5 s long. The rule requires at least 10 s.',
    () => found({ durationMs: 5_000 }, { filters: { minSeconds: 10 } }),
  ],
  'it is too long for a filter': [
    'Skipped: the video is 20 s long. The rule allows at most 10 s.',
    () => found({ durationMs: 20_000 }, { filters: { maxSeconds: 10 } }),
  ],
  'the template makes the caption too long': [
    'Skipped: the caption has 5,060 characters. The maximum is 5,000.',
    () => decided({ caption: { template: '{caption}'.repeat(10), append: 'x'.repeat(59) } }, 'w'.repeat(500)),
  ],
  'the platform gives no files': [
    'Skipped: the video cannot be downloaded. TikTok does not let other applications download its videos.',
    async () => {
      const tiktok = await world.account(user, 'tiktok');
      const id = await world.rule(user, tiktok, [b]);
      await world.foreign(tiktok, { file: null });
      await world.settle(user);
      return id;
    },
  ],
  'the download failed for good': [
    'Skipped: the video cannot be downloaded. The download failed. connection reset',
    () => failed(say('no_file', { reason: say('download_failed', { reason: 'connection reset' }) })),
  ],
  'the external downloader failed for good': [
    'Skipped: the video cannot be downloaded. The external downloader failed. no formats',
    () => failed(say('no_file', { reason: say('downloader_failed', { reason: 'no formats' }) })),
  ],
  'the video has a wrong length': [
    `Skipped: ${errorMessage('video_too_long').text}`,
    () => found({ durationMs: 200_000 }),
  ],
  'another source had it': [
    'Skipped: the same video is already on Mastodon @NAME.',
    async () => {
      const other = await world.account(user);
      await world.rule(user, other, [b]);
      const id = await world.rule(user, a, [b]);
      await world.foreign(other, { text: 'Sunset over the bay' });
      await world.settle(user);
      await world.foreign(a, { text: 'Sunset over the bay' });
      await world.settle(user);
      return id;
    },
  ],
  'a rule of a chain had it': [
    'Skipped: every destination has or had the video.',
    async () => {
      const copied = await world.rule(user, a, [b, c]);
      const id = await world.rule(user, b, [c]);
      await world.own(user, a);
      await world.fire();
      const [item] = await world.activity(user, copied);
      await world.publish(item?.postId ?? '');
      await world.fire();
      return id;
    },
  ],
  'the source deleted it before': [
    'Skipped: the post was deleted before it could be reposted.',
    async () => {
      const id = await world.rule(user, a, [b], { delayMinutes: 30 });
      await world.foreign(a, {});
      await world.settle(user);
      await world.removeAll(a);
      await clock().advance(HOUR);
      await world.settle(user);
      return id;
    },
  ],
  'it was sent to few': [
    'Skipped: the post is not public.',
    () => decided({}, 'For followers', { visibility: 'private' }),
  ],
  'it was found with a small audience': ['Skipped: the post is not public.', () => found({ isPublic: false })],
  'its stored video is gone': [
    'Skipped: the stored video was deleted after its retention period.',
    async () => {
      const id = await world.rule(user, a, [b], { delayMinutes: 30 });
      await world.own(user, a);
      await world.fire();
      await execute(`update media set state = 'gone' where user_id = $1`, [user.userId]);
      await clock().advance(HOUR);
      await world.fire();
      return id;
    },
  ],
};

test.each(Object.entries(CONSTELLATIONS))('the activity is true when %s', async (_, [sentence, happens]) => {
  const id = await happens();
  const [item] = await world.activity(user, id);
  const shown = item?.text
    .replaceAll(/name-\w+/g, 'NAME')
    .replaceAll(/[A-Z][a-z]+ \d+, \d{4} at \d+:\d\d [AP]M \w+/g, 'TIME');
  expect(shown).toBe(sentence);
});

/** Previews use it. */
const ELSEWHERE = ['would_repost'];

test('each sentence about an item has a constellation', () => {
  const sentences = Object.values(CONSTELLATIONS).map(([sentence]) => sentence);
  const isSaid = (message: string) => {
    const parts = message.split(/\{[^{}]+\}/).map((part) => RegExp.escape(part));
    return sentences.some((sentence) => new RegExp(parts.join('.+')).test(sentence));
  };
  const unsaid = Object.entries(RULE_MESSAGES).filter(
    ([code, message]) => !code.startsWith('watch_') && !ELSEWHERE.includes(code) && !isSaid(message),
  );
  expect(unsaid).toEqual([]);
});
