/** A user with accounts, posts of all kinds and a rule, so that no page is empty. */
import type { Platform } from '@reelay/sdk';
import { say } from '../../../../packages/server/src/messages/timeline.ts';
import { addAccount, addMedia, addPost } from '../../../../packages/server/test/harness/rows.ts';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { failPost } from '../../../../packages/server/test/notifications/world.ts';
import { addHistory, sendPost, untilSettled } from '../../../../packages/server/test/post/world.ts';
import { test as base, connectAccounts, type SessionUser, type TestService } from './fixtures.ts';
import { accountRow } from './post-steps.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface FilledUser {
  user: SessionUser;
  /** Ids of posts. */
  posts: Record<'posted' | 'failed' | 'unknown' | 'scheduled' | 'underWay' | 'troubled', string>;
  rule: string;
  /** Path of a vertical video. */
  video: string;
  /** Names of the accounts and captions. */
  texts: string[];
  /** Day of the scheduled post and of earlier ones, for the calendar. */
  day: string;
}

async function fillUser(service: TestService): Promise<FilledUser> {
  const { db } = service;
  const user = await service.newSession();
  const { userId } = user;
  await connectAccounts(user);
  const account = (platform: string) => accountRow(service, user, platform);
  const mastodon = await account('mastodon');
  const bluesky = await account('bluesky');
  const telegram = await account('telegram');
  const [{ body: rule }, media, video] = await Promise.all([
    user.post('/repost/add', { from: mastodon.id, to: [bluesky.id] }),
    addMedia(db, userId),
    makeVideo({ seconds: 6, width: 540, height: 960, fps: 25 }),
    addAccount(db, userId, { platform: 'telegram', username: 'nora', status: 'EXPIRED' }),
  ]);

  const fields = [['description', 'Waves at #dawn']] as const;
  const { body: posted } = await sendPost(user, { video, to: [mastodon.id, telegram.id], fields });
  const addPending = async (description: string, dueInMs: number, state: 'scheduled' | 'working') => {
    const { id } = await addPost(db, { userId, mediaId: media.id, accounts: [mastodon, telegram], state, dueInMs });
    await db.execute('update post set description = $2 where id = $1', [id, description]);
    return id;
  };
  const noon = Math.ceil(Date.now() / DAY_MS) * DAY_MS + 2 * DAY_MS + 12 * HOUR_MS;
  const scheduled = await addPending('Planned for later', noon - Date.now(), 'scheduled');
  // Its date is in the past, but no worker takes it before tomorrow.
  const underWay = await addPending('On its way', DAY_MS, 'working');
  await db.execute('update post set scheduled = false, date = app_now() where id = $1', [underWay]);
  const troubled = await addPending('Fog over the harbor', DAY_MS, 'working');
  const { code, params } = say('platform_says', { reason: say('internal_error'), words: 'Back soon' });
  const trouble = {
    code: 'platform_unavailable',
    reason: { code, params },
    platformCode: 'E503',
    since: 0,
    attempts: 4,
  };
  await db.execute('update post set scheduled = false, date = app_now() where id = $1', [troubled]);
  await db.execute(`update target set state = 'waiting', trouble = $2 where post_id = $1`, [troubled, trouble]);
  const failed = await failPost(db, userId, [await account('tiktok'), await account('youtube'), mastodon], {
    description: 'A walk through Rome at night',
    code: 'video_rejected',
    reason: say('account_disconnected'),
  });
  const unknown = await failPost(db, userId, [telegram], {
    description: 'Anybody there?',
    code: 'outcome_unknown',
    reason: say('maybe_published'),
  });
  // Some are beside the scheduled post in the calendar.
  const dateOf = (at: number) => (at < 3 ? noon - at * HOUR_MS : Date.now() - at * 6 * HOUR_MS);
  const entries = Array.from({ length: 30 }, (_, at) => ({ at: dateOf(at), description: `Entry ${at}` }));
  await addHistory(db, userId, mastodon, entries);
  await untilSettled(service, posted.historyId);
  const { body: accounts } = await user.get('/platform/platforms');
  const names = accounts.data.flatMap(({ username, displayName }: Platform) => [username, displayName || username]);
  const captions = [
    'Waves at #dawn',
    'Planned for later',
    'On its way',
    'Fog over the harbor',
    'A walk through Rome at night',
    'Anybody there?',
  ];
  return {
    user,
    posts: { posted: posted.historyId, failed, unknown, scheduled, underWay, troubled },
    rule: rule.id,
    video,
    texts: [...names, ...captions, ...entries.map(({ description }) => description)],
    day: new Date(noon).toISOString().slice(0, 10),
  };
}

/** One filled user for each worker. Its data is only read. */
export const test = base.extend<object, { filled: FilledUser }>({
  filled: [async ({ shared }, use) => use(await fillUser(shared.service)), { scope: 'worker' }],
});
