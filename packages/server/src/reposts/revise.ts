/**
 * Revises a repost. If its source post was removed, hidden or edited before any destination began, it is withdrawn and
 * its firing decides again, or it gets the new text. Destinations that have become free are added: see extend.ts.
 */
import type { Connector } from '../connectors/contract.ts';
import type { Database, Transaction } from '../db/database.ts';
import { reopenAfterFailure } from '../lineage/firings.ts';
import { decideOrigins } from '../lineage/origins.ts';
import { say } from '../messages/timeline.ts';
import { uncountHistory } from '../plans/plan-store.ts';
import { giveBack } from '../plans/service.ts';
import { waitingTargets } from '../posts/cancel.ts';
import { type LockedTarget, lockPost, moveTargets, setDescription } from '../posts/change-store.ts';
import { findAccounts } from '../posts/post-store.ts';
import { captionProblemWith } from '../publishing/suitability.ts';
import { appendTimeline } from '../publishing/timeline-store.ts';
import type { Claim } from '../queue/claim.ts';
import type { FindShown } from '../watching/shown-on-destination.ts';
import { type FileSources, type Found, readForeign, readForm, readOwn, readSeen } from './content-store.ts';
import type { Looking, Shown } from './destinations.ts';
import { DONE, type Extended, type Extension, extendRepost } from './extend.ts';
import { destinationLanes, type FiringRow, shareRule } from './firing-store.ts';
import type { Look } from './look.ts';
import { renderCaption } from './options/caption.ts';
import { filterProblem } from './options/filters.ts';
import { completeOptions, type RuleOptions } from './options/rule-options.ts';
import {
  endRevision,
  failCaptions,
  hasOwnText,
  postponeRevision,
  reopenRepost,
  setContentText,
  withdrawPost,
} from './revise-store.ts';

export interface ReviseDeps extends FileSources {
  db: Database;
  connectors: Readonly<Record<string, Pick<Connector, 'name' | 'watch' | 'federated' | 'countedText' | 'textProblem'>>>;
  /** Called when reposts are due. */
  wake(): void;
  /** Finds destinations that already show content posted elsewhere. */
  findShown: FindShown;
}

/** @throws Error when another worker took the firing over: then nothing is written */
export async function reviseRepost(deps: ReviseDeps, claim: Claim<FiringRow>): Promise<void> {
  const reviseWith = (shown: Shown | null) =>
    decideOrigins(deps.db, (tx, canJoin) => revise(tx, deps, claim, { shown, canJoin }));
  const look = await reviseWith(null);
  if (look) await reviseWith(await deps.findShown(look.accounts, look.sought));
}

/** @returns what must be read first */
async function revise(
  tx: Transaction,
  deps: ReviseDeps,
  claim: Claim<FiringRow>,
  looking: Omit<Looking, 'now'>,
): Promise<Look | null> {
  const { row } = claim;
  const lanes = await destinationLanes(tx, row.rule_id);
  const post = row.post_id ? await lockPost(tx, row.user_id, row.post_id, lanes) : null;
  const rule = await shareRule(tx, row.rule_id);
  // The firing was deleted with its rule.
  if (!rule) return null;
  const next = post
    ? await revisePost(tx, deps, {
        row,
        post,
        lanes,
        rule: { ...rule, options: completeOptions(rule.options) },
        ...looking,
      })
    : DONE;
  if (next.kind === 'look') return next;
  const isHeld = await (next.kind === 'done'
    ? endRevision(tx, claim)
    : next.kind === 'wait'
      ? postponeRevision(tx, claim, next.until, next.reason)
      : reopenRepost(tx, claim));
  if (!isHeld) throw new Error('Another worker claimed the firing.');
  return null;
}

/** `withdrawn`: the repost was removed. */
async function revisePost(
  tx: Transaction,
  deps: ReviseDeps,
  { row, post, lanes, rule, ...looking }: Omit<Extension, 'form'>,
): Promise<Extended | { kind: 'withdrawn' }> {
  const found = row.target_id ? await readOwn(tx, row) : await readForeign(tx, row, rule.options.fit ?? '', deps);
  const text = await revisedText(tx, row, rule.options, found);
  const targets = waitingTargets(post);
  if (text === null) {
    if (targets.length === 0) return DONE;
    const countedAt = await withdrawPost(tx, post.id);
    await giveBack(tx, row.user_id, countedAt);
    await uncountHistory(tx, row.user_id, 1);
    return { kind: 'withdrawn' };
  }
  let description = post.description;
  if (targets.length > 0 && text !== undefined && text !== description && !(await hasOwnText(tx, post.id))) {
    if (found) await setContentText(tx, post.id, found.form?.text ?? found.content.caption);
    await rewrite(tx, deps, { row, post, targets }, text);
    description = text;
  }
  const form = found ? found.form : await readForm(tx, row);
  return extendRepost(tx, deps, { row, post: { ...post, description }, lanes, rule, form, ...looking });
}

/** @returns null if the repost must not continue; undefined if its source is not known any more */
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
  { row, post, targets }: Pick<Extension, 'row' | 'post'> & { targets: readonly LockedTarget[] },
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
  await appendTimeline(tx, left, [{ event: 'edited', message: say('source_edited') }]);
  await failCaptions(tx, failed);
  await reopenAfterFailure(
    tx,
    failed.map(({ id }) => id),
  );
  tx.afterCommit(wake);
}
