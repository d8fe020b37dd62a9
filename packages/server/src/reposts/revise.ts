/**
 * Revises a repost that has not begun, because its source post was removed, hidden or edited. A repost whose source is
 * not there any more is withdrawn, and its firing decides again. Otherwise it gets the new text. Once a destination has
 * begun, nothing changes.
 */
import type { Connector } from '../connectors/contract.ts';
import type { Database, Transaction } from '../db/database.ts';
import { reopenAfterFailure } from '../lineage/firings.ts';
import { say } from '../messages/timeline.ts';
import { giveBack } from '../plans/service.ts';
import { uncountHistory } from '../plans/store.ts';
import { waitingTargets } from '../posts/change.ts';
import { type LockedPost, type LockedTarget, lockPost, moveTargets, setDescription } from '../posts/change-store.ts';
import { findAccounts } from '../posts/store.ts';
import { captionProblemWith } from '../publishing/suitability.ts';
import { appendTimeline } from '../publishing/timeline-store.ts';
import type { Claim } from '../queue/claim.ts';
import { type FileSources, type Found, readForeign, readOwn, readSeen } from './content-store.ts';
import { type FiringRow, shareRule } from './firing-store.ts';
import { renderCaption } from './options/caption.ts';
import { filterProblem } from './options/filters.ts';
import { completeOptions, type RuleOptions } from './options/rule-options.ts';
import { endRevision, failCaptions, hasOwnText, reopenRepost, setContentText, withdrawPost } from './revise-store.ts';

export interface ReviseDeps extends FileSources {
  db: Database;
  connectors: Readonly<Record<string, Pick<Connector, 'name' | 'watch' | 'federated' | 'countedText' | 'textProblem'>>>;
  /** Called when reposts are due. */
  wake(): void;
}

/** @throws Error when another worker took the firing over: then nothing is written */
export async function reviseRepost(deps: ReviseDeps, claim: Claim<FiringRow>): Promise<void> {
  const { row } = claim;
  await deps.db.transaction(async (tx) => {
    const post = row.post_id ? await lockPost(tx, row.user_id, row.post_id) : null;
    const rule = await shareRule(tx, row.rule_id);
    // The firing was deleted with its rule.
    if (!rule) return;
    const targets = post ? waitingTargets(post) : [];
    const isWithdrawn = post !== null && targets.length > 0 && (await revise(tx, deps, { row, post, targets, rule }));
    const isHeld = await (isWithdrawn ? reopenRepost(tx, claim) : endRevision(tx, claim));
    if (!isHeld) throw new Error('Another worker claimed the firing.');
  });
}

interface Revised {
  row: FiringRow;
  post: LockedPost;
  targets: readonly LockedTarget[];
  rule: { options: Parameters<typeof completeOptions>[0] };
}

/** @returns whether the repost was withdrawn */
async function revise(tx: Transaction, deps: ReviseDeps, { row, post, targets, rule }: Revised): Promise<boolean> {
  const options = completeOptions(rule.options);
  const found = row.target_id ? await readOwn(tx, row) : await readForeign(tx, row, options.fit ?? '', deps);
  const text = await revisedText(tx, row, options, found);
  if (text === null) {
    const countedAt = await withdrawPost(tx, post.id);
    await giveBack(tx, row.user_id, countedAt);
    await uncountHistory(tx, row.user_id, 1);
    return true;
  }
  if (text === undefined || text === post.description || (await hasOwnText(tx, post.id))) return false;
  if (found) await setContentText(tx, post.id, found.form?.text ?? found.content.caption);
  await rewrite(tx, deps, { row, post, targets }, text);
  return false;
}

/** @returns null if the repost must not go on; undefined if its source is not known any more */
async function revisedText(
  tx: Transaction,
  row: FiringRow,
  options: RuleOptions,
  found: Found | null,
): Promise<string | null | undefined> {
  const isGone = found?.content.isGone ?? (await readSeen(tx, row)).isGone;
  if (isGone && !row.by_hand) return null;
  if (!found) return undefined;
  const isFiltered = !row.by_hand && !row.is_catalog && filterProblem(options.filters, found.content) !== null;
  if (!found.content.isPublic || isFiltered) return null;
  const { text, problem } = renderCaption(options.caption, found.content);
  return problem ? null : text;
}

/** Sets the text of a repost. Destinations that do not take it fail. */
async function rewrite(
  tx: Transaction,
  { connectors, wake }: ReviseDeps,
  { row, post, targets }: Omit<Revised, 'rule'>,
  text: string,
): Promise<void> {
  await setDescription(tx, post.id, text);
  const accounts = await findAccounts(
    tx,
    row.user_id,
    targets.map(({ accountId }) => accountId),
  );
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const failed = targets.flatMap(({ id, accountId, options }) => {
    const account = byId.get(accountId);
    const connector = account && connectors[account.platform];
    const problem =
      account &&
      (captionProblemWith(connector, account.capabilities, { text, options }) ?? connector?.textProblem?.(text));
    return problem ? [{ id, problem }] : [];
  });
  const left = targets.map(({ id }) => id).filter((id) => failed.every((each) => each.id !== id));
  await moveTargets(tx, left, null);
  for (const id of left) await appendTimeline(tx, id, [{ event: 'edited', message: say('source_edited') }]);
  await failCaptions(tx, failed);
  await reopenAfterFailure(
    tx,
    failed.map(({ id }) => id),
  );
  tx.afterCommit(wake);
}
