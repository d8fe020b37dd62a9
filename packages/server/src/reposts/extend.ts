/**
 * Extends a repost to destinations that it left to other posts, which are not there any more: they failed before anything
 * was sent, or were removed before they began.
 */
import type { Connector } from '../connectors/contract.ts';
import type { Transaction } from '../db/database.ts';
import { quietUntil } from '../local-time/quiet-hours.ts';
import type { Message } from '../messages/message.ts';
import { say } from '../messages/rules.ts';
import { say as sayTimeline } from '../messages/timeline.ts';
import { holdMedia, type LockedPost } from '../posts/change-store.ts';
import { insertTargets } from '../posts/post-store.ts';
import { lowerLanes } from '../queue/lane-locks.ts';
import type { Found } from './content-store.ts';
import { findDestinations, type Known, type Looking } from './destinations.ts';
import { type FiringRow, originOf } from './firing-store.ts';
import { type Look, lookAt } from './look.ts';
import { privacyOptions } from './options/privacy.ts';
import type { RuleOptions } from './options/rule-options.ts';
import { targetFor } from './repost-target.ts';
import { readRepost } from './revise-store.ts';

export interface ExtendDeps {
  connectors: Readonly<Record<string, Pick<Connector, 'countedText' | 'textProblem'>>>;
  /** Called when targets are due. */
  wake(): void;
}

export interface Extension extends Omit<Looking, 'now'> {
  row: FiringRow;
  /** Locked, with the lanes of all destinations. */
  post: LockedPost;
  /** Identities of all destinations. */
  lanes: readonly string[];
  rule: { paused: boolean; options: RuleOptions; now: Date };
  /** What its content is found by; null if it is in no ledger. */
  form: Found['form'];
}

/** `wait`: until a time in ms since the epoch, or (null) until the rule is resumed. */
export type Extended = { kind: 'done' } | { kind: 'wait'; until: number | null; reason: Message } | Look;

export const DONE: Extended = { kind: 'done' };

/**
 * Adds the targets, with the text and the video of the repost. Nothing is added once its video was removed.
 * @throws JoinNeeded
 */
export async function extendRepost(
  tx: Transaction,
  { connectors, wake }: ExtendDeps,
  { row, post, lanes, rule, form, shown, canJoin }: Extension,
): Promise<Extended> {
  const has = new Set(post.targets.map(({ identityId }) => identityId));
  if (lanes.every((id) => has.has(id))) return DONE;
  const { options } = rule;
  const now = rule.now.getTime();
  const { contentText, durationMs, nextPosition } = await readRepost(tx, post.id);
  // The video of the repost tells its length.
  const measured = form && durationMs !== null ? { ...form, durationMs, isMeasured: true } : form;
  const known: Known = {
    // A join may have changed it since the firing was claimed.
    originId: await originOf(tx, row.id),
    form: measured,
    content: { file: { state: 'stored' }, withoutFile: null },
  };
  const destinations = await findDestinations(tx, row, known, { shown, now, canJoin });
  const open = destinations.open.filter(({ identityId }) => !has.has(identityId));
  if (open.length === 0) return DONE;
  if (!row.by_hand) {
    if (rule.paused) return { kind: 'wait', until: null, reason: say('rule_paused') };
    const quiet = quietUntil(options.quietHours, now);
    if (quiet !== null) return { kind: 'wait', until: quiet, reason: say('quiet_hours', { untilAt: quiet }) };
  }
  if (!(await holdMedia(tx, post.mediaId))) return DONE;
  const text = post.description;
  if (form && shown === null && !row.by_hand) return lookAt(row, open, { ...form, caption: text });
  const targets = open.map((each) => {
    const content = { text, options: privacyOptions(options.privacy, each.accountId) };
    return targetFor(each, content, { refusal: null, byHand: row.by_hand, connector: connectors[each.platform] });
  });
  const made = { id: post.id, userId: row.user_id, originId: destinations.originId };
  await insertTargets(
    tx,
    { ...made, date: rule.now, text: contentText ?? text, first: nextPosition },
    targets,
    sayTimeline('queued_by_rule'),
  );
  await lowerLanes(
    tx,
    open.map(({ identityId }) => identityId),
    row.user_id,
  );
  tx.afterCommit(wake);
  return DONE;
}
