/**
 * Extends a repost to destinations that it left to other posts, which are not there any more: they failed before anything
 * was sent, or were removed before they began.
 */
import type { Connector } from '../connectors/contract.ts';
import type { Transaction } from '../db/database.ts';
import type { Message } from '../messages/message.ts';
import { say } from '../messages/rules.ts';
import { say as sayTimeline } from '../messages/timeline.ts';
import { holdMedia, type LockedPost } from '../posts/change-store.ts';
import { insertTargets } from '../posts/store.ts';
import { lowerLanes } from '../queue/lane-locks.ts';
import type { Found } from './content-store.ts';
import { findDestinations, type Known, type Shown } from './destinations.ts';
import type { FiringRow } from './firing-store.ts';
import { type Look, lookAt } from './look.ts';
import { privacyOptions } from './options/privacy.ts';
import type { RuleOptions } from './options/rule-options.ts';
import { quietUntil } from './options/timing.ts';
import { targetFor } from './repost-target.ts';
import { readRepost } from './revise-store.ts';

export interface ExtendDeps {
  connectors: Readonly<Record<string, Pick<Connector, 'countedText' | 'textProblem'>>>;
  /** Called when targets are due. */
  wake(): void;
}

export interface Extension {
  row: FiringRow;
  /** Locked, with the lanes of all destinations. */
  post: LockedPost;
  rule: { paused: boolean; options: RuleOptions; now: Date };
  /** What its content is found by; null if it is in no ledger. */
  form: Found['form'];
  /** What the destinations show; null: not known yet. */
  shown: Shown | null;
}

/** `wait`: until a time in ms since the epoch, or (null) until the rule is resumed. */
export type Extended = { kind: 'done' } | { kind: 'wait'; until: number | null; reason: Message } | Look;

const DONE: Extended = { kind: 'done' };

/** Adds the targets, with the text and the video of the repost. Nothing is added once its video was removed. */
export async function extendRepost(
  tx: Transaction,
  { connectors, wake }: ExtendDeps,
  { row, post, rule, form, shown }: Extension,
): Promise<Extended> {
  const { options } = rule;
  const now = rule.now.getTime();
  const { contentText, durationMs, nextPosition } = await readRepost(tx, post.id);
  // The video of the repost tells its length.
  const measured = form && durationMs !== null ? { ...form, durationMs, isMeasured: true } : form;
  const known: Known = {
    originId: row.origin_id,
    form: measured,
    content: { file: { state: 'stored' }, withoutFile: null },
  };
  const destinations = await findDestinations(tx, row, known, { shown, now });
  const has = new Set(post.targets.map(({ identityId }) => identityId));
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
    return targetFor(each, content, { refusal: null, connector: connectors[each.platform] });
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
