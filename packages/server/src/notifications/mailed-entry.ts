/** Notifications as messages describe them: with names, links and reasons in the reader's language. */
import type { MailedEntry } from '../messages/notification-mail.ts';
import type { Wording } from '../publishing/target-detail.ts';
import { type Entry, failureDetail } from './entries.ts';
import type { AffectedAccount } from './notification-store.ts';

export interface Mailing {
  /** Of the dashboard. */
  url: string;
  /** Returns a platform's name. */
  nameOf(platform: string): string;
  wording: Wording;
}

/** Pure. What a mail or a chat message says about a notification. */
export function mailedEntry({ kind, post, account, moment }: Entry, { url, nameOf, wording }: Mailing): MailedEntry {
  const called = ({
    platform,
    username,
    displayName,
  }: Pick<AffectedAccount, 'platform' | 'username' | 'displayName'>) =>
    `${nameOf(platform)} (${displayName || username})`;
  if (kind === 'post_failed' || kind === 'post_trouble')
    return {
      kind,
      url: `${url}/posts/${post?.id ?? ''}`,
      description: post?.description ?? '',
      accounts: post?.accounts ?? 0,
      affected: ((kind === 'post_failed' ? post?.failed : post?.troubled) ?? []).map((failure) => ({
        account: called(failure),
        code: failure.code ?? 'internal_error',
        detail: failureDetail(failure, wording),
      })),
    };
  const page = kind === 'source_unread' ? 'reposts' : 'accounts';
  return { kind, url: `${url}/${page}`, account: called(account), moment };
}
