/** Checks whether an account may post: bans, daily caps, the app's audit. */
import type { SimulatorOptions } from '../../contract.ts';
import type { Refusal } from './answers.ts';
import { type Account, appSettings, DAY_MS } from './records.ts';

const POSTS_A_DAY = 15;
const CREATORS_OF_UNAUDITED_CLIENT = 5;

export async function postingRefusal(options: SimulatorOptions, account: Account): Promise<Refusal | null> {
  if (account.banned)
    return { code: 'spam_risk_user_banned_from_posting', message: 'The user is banned from making new posts.' };
  const posts = account.posts.filter((time) => time > options.now() - DAY_MS);
  if (options.limits && posts.length >= POSTS_A_DAY)
    return { code: 'spam_risk_too_many_posts', message: 'The daily post cap from the API is reached for this user.' };
  const app = await appSettings(options);
  const cap = app.audited ? app.activeUserCap : CREATORS_OF_UNAUDITED_CLIENT;
  if (cap !== null) {
    const creators = await options.books.list<number>('active', { limit: 10_000 });
    const active = creators.filter(({ value }) => value > options.now() - DAY_MS).map(({ key }) => key);
    if (active.length >= cap && !active.includes(account.openId))
      return { code: 'reached_active_user_cap', message: 'The daily quota for active publishing users is reached.' };
  }
  return null;
}

/** Counts the account as a creator who posted in the last 24 hours. */
export async function countCreator(options: SimulatorOptions, account: Account): Promise<void> {
  await options.books.put('active', account.openId, options.now());
}
