/** Checks whether an account may post: bans, daily caps, the app's audit. */
import type { SimulatorOptions } from '../../contract.ts';
import { lastDay } from '../../store/records.ts';
import { DAY_MS } from '../../time.ts';
import type { Refusal } from './answers.ts';
import { type Account, appSettings } from './records.ts';

const POSTS_A_DAY = 15;
const CREATORS_OF_UNAUDITED_CLIENT = 5;

export async function postingRefusal(options: SimulatorOptions, account: Account): Promise<Refusal | null> {
  if (account.banned)
    return { code: 'spam_risk_user_banned_from_posting', message: 'The user is banned from making new posts.' };
  if (options.limits && lastDay(account.posts, options.now()).length >= POSTS_A_DAY)
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
