/** What an edit does to the accounts of a post. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { createCaptionCounter } from '../connectors/kit/captions.ts';
import { type AccountDeps, pickAccounts, rejectCaption, rejectUnconnected, targetOptions } from './accounts.ts';
import type { LockedPost, LockedTarget } from './change-store.ts';
import type { SentOptions, TargetOptions } from './options.ts';
import type { PostAccount } from './post-store.ts';

/** The fields of an edit that concern accounts. */
export interface AccountEdit {
  description?: string | undefined;
  /** Account ids; absent: unchanged. */
  platforms?: readonly string[] | undefined;
  /** Replaces the options of all accounts; absent: unchanged. */
  options?: SentOptions | undefined;
}

/** An account of the post after the edit. */
export interface PlannedAccount extends PostAccount, TargetOptions {
  /** Its target; null: a new one is needed. */
  target: LockedTarget | null;
  /** The caption or the options of its target change. */
  changes: boolean;
}

/**
 * Plans the accounts of a post in the order wanted. Accounts that already wait are kept, even if they are not connected
 * at the moment; an account whose target failed starts over.
 * @param waiting the targets that have not started
 * @param found the accounts of the edit, or else those of `waiting`
 * @throws ReelayError as {@link pickAccounts}, {@link rejectUnconnected} and {@link targetOptions}
 */
export function planAccounts(
  post: Pick<LockedPost, 'description'>,
  waiting: readonly LockedTarget[],
  edit: AccountEdit,
  found: readonly PostAccount[],
  deps: AccountDeps,
): PlannedAccount[] {
  const description = edit.description ?? post.description;
  const targets = new Map(waiting.map((target) => [target.accountId, target]));
  const accounts = pickAccounts(found, { ids: accountsOf(waiting, edit), description, options: edit.options });
  const count = createCaptionCounter();
  return accounts.map((account) => {
    const target = targets.get(account.id) ?? null;
    const connector = deps.connectors[account.platform];
    if (!target) rejectUnconnected(account, deps);
    if (target && !edit.options) {
      const { caption, options } = target;
      if (edit.description !== undefined && caption === null)
        rejectCaption(account, connector, { text: description, options }, count);
      return { ...account, target, caption, options, changes: false };
    }
    const wanted = targetOptions(account, { description, options: edit.options ?? {} }, connector, count);
    const changes = !isDeepStrictEqual(wanted, { caption: target?.caption, options: target?.options });
    return { ...account, ...wanted, target, changes };
  });
}

/** Ids of the accounts of a post after an edit, in order. */
export function accountsOf(waiting: readonly LockedTarget[], { platforms }: AccountEdit): string[] {
  if (platforms) return [...new Set(platforms)];
  return waiting.toSorted((a, b) => a.position - b.position).map(({ accountId }) => accountId);
}
