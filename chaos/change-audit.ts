/** What changes of posts allow: the responses that users got must hold. Pure. */
import type { Published } from './audit.ts';
import type { PostChange } from './post-changes.ts';

/** A target of a changed post at the end of the run. */
export interface ChangedTarget {
  postId: string;
  accountId: string;
  text: string;
  /** When its publishing began, in ms since the epoch by the service's clock; null: it did not. */
  begunAt: number | null;
}

const EDITS = ['edit', 'editAndMove'];

/**
 * - A canceled post is nowhere.
 * - An edited post has the new text only. If an earlier request had no response, it may have one of both texts.
 * - A post that was moved did not begin earlier.
 * - A post has the accounts of its swap, or those before it if that was refused.
 */
export function auditChanges(
  changes: readonly PostChange[],
  targets: readonly ChangedTarget[],
  shown: readonly Published[],
): string[] {
  const rows = Map.groupBy(targets, ({ postId }) => postId);
  const texts = Map.groupBy(shown, ({ text }) => text);
  return changes.flatMap((change) => {
    const { kind, postId, status, attempts, text, newText, notBefore } = change;
    const mine = rows.get(postId) ?? [];
    const [old, edited] = [texts.get(text)?.length ?? 0, texts.get(newText)?.length ?? 0];
    const problem = (what: string) => [`${postId} (${kind}, ${status}, ${attempts} requests) ${what}`];
    if (kind === 'cancel' && status === 200)
      return old + mine.length > 0 ? problem(`was canceled, but ${old} are published and ${mine.length} exist.`) : [];
    if (kind === 'cancel' && mine.length === 0) return problem('was not canceled, but is gone.');
    const begun = Math.min(...mine.flatMap(({ begunAt }) => begunAt ?? []));
    if (notBefore !== null && begun < notBefore)
      return problem(`began ${notBefore - begun} ms before ${new Date(notBefore).toISOString()}.`);
    if (kind === 'swap' && !isOnAccounts(change, mine)) return problem('has other accounts.');
    if (!EDITS.includes(kind)) return [];
    if (old > 0 && edited > 0) return problem(`has both texts: ${old} and ${edited} times.`);
    if (status === 200 && (old > 0 || mine.some((each) => each.text !== newText))) return problem('kept its old text.');
    return status !== 200 && attempts === 1 && edited > 0 ? problem('has a text that was refused.') : [];
  });
}

/** Whether a post is on the accounts of its swap; on those before, if the swap was refused. */
function isOnAccounts({ status, attempts, accounts }: PostChange, targets: readonly ChangedTarget[]): boolean {
  const found = targets.map(({ accountId }) => accountId).sort();
  const isOn = (ids: readonly string[]) => ids.toSorted().join() === found.join();
  if (status === 200) return isOn(accounts.after);
  return isOn(accounts.before) || (attempts > 1 && isOn(accounts.after));
}

/** Ids of posts whose rows are gone rightly. */
export function canceledPosts(changes: readonly PostChange[]): Set<string> {
  return new Set(changes.filter(({ kind, status }) => kind === 'cancel' && status === 200).map(({ postId }) => postId));
}

/** Numbers of changes by kind and answer, for the report. */
export function sumChanges(changes: readonly Pick<PostChange, 'kind' | 'status'>[]): Map<string, number> {
  const groups = Map.groupBy(changes, ({ kind, status }) => `${kind} ${status}`);
  return new Map([...groups].map(([name, { length }]) => [name, length] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
}
