/** What the user changed of a post. Pure. */
import type { NewPost, Post, PostChange } from '@reelay/sdk';
import {
  type AccountOptions,
  type Draft,
  draftOf,
  NO_OPTIONS,
  type OptionValues,
  sentAdjustments,
} from '../../../drafts/draft.ts';
import { type ChosenAccount, sentOptions } from '../options/chosen-accounts.ts';

/**
 * A post as a draft, without its video.
 * @param values the input for the options of each account, by its id
 */
export function openedDraft(post: Post, values: ReadonlyMap<string, OptionValues>, key: string): Draft {
  const { date, previewTime, result } = post;
  const accounts = result.filter(({ status }) => status === 'PENDING').map(({ id }) => id);
  return { ...draftOf(post, null, values, key), accounts, at: new Date(date).getTime(), previewTime };
}

export interface Changed {
  post: Pick<Post, 'targets'>;
  /** The post before. */
  opened: Draft;
  /** Its time is complete. */
  draft: Draft;
  chosen: readonly ChosenAccount[];
}

/** Accounts that were added, or whose caption or options were changed. */
export function changedAccounts({ opened, chosen }: Pick<Changed, 'opened' | 'chosen'>): ChosenAccount[] {
  return chosen.filter(({ account: { id }, options }) => !isUnchanged(opened, id, options));
}

/** @returns only what was changed; {} if nothing was */
export function postChange({ post, opened, draft, chosen }: Changed): PostChange {
  const { description, at, upload, previewTime } = draft;
  const platforms = chosen.map(({ account }) => account.id);
  const options = changedOptions({ post, opened, chosen });
  return {
    ...(description === opened.description ? {} : { description }),
    ...(at === opened.at || at === 'incomplete' ? {} : { scheduled: at }),
    ...(hasSame(platforms, opened.accounts) ? {} : { platforms }),
    ...(options ? { options } : {}),
    ...(upload ? { uploadId: upload.id, ...sentAdjustments(draft) } : {}),
    ...(upload || previewTime !== opened.previewTime ? { previewTime } : {}),
  };
}

/**
 * The captions and options of all accounts, because the service replaces them together. Accounts that were not changed
 * get what they have, also what their forms do not have.
 * @returns null if none was changed
 */
function changedOptions({ post, opened, chosen }: Omit<Changed, 'draft'>): NonNullable<NewPost['options']> | null {
  const changed = new Set(changedAccounts({ opened, chosen }));
  const input = sentOptions(chosen);
  const isNew = ({ account: { id } }: ChosenAccount) => !opened.accounts.includes(id);
  // An added account without any option needs none.
  if (![...changed].some((each) => !isNew(each) || input[each.account.id])) return null;
  const sent = chosen.map((each): [string, Record<string, unknown>] => {
    const { id } = each.account;
    const target = post.targets.find(({ platformId }) => platformId === id);
    const { caption, options: before = {} } = target ?? {};
    if (!changed.has(each)) return [id, { ...(caption === undefined ? {} : { caption }), ...before }];
    const inForm = new Set(each.form?.fields.map(({ name }) => name));
    const outside = Object.entries(before).filter(([name]) => !inForm.has(name));
    return [id, { ...Object.fromEntries(outside), ...input[id] }];
  });
  return Object.fromEntries(sent.filter(([, options]) => Object.keys(options).length > 0));
}

function isUnchanged(opened: Draft, id: string, options: AccountOptions): boolean {
  const before = opened.accounts.includes(id) ? (opened.options[id] ?? NO_OPTIONS) : null;
  return before !== null && before.caption === options.caption && hasSameValues(before.values, options.values);
}

function hasSameValues(one: OptionValues, other: OptionValues): boolean {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}

function hasSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}
