/** Presents a rule's activity: what happened to each item that it saw, and why. Pure. */
import { accountName } from '../lib/handle.ts';
import { cutText } from '../lib/text.ts';
import type { MessageRef } from '../messages/message.ts';
import { say } from '../messages/rules.ts';
import type { ActivityRow, RepostTarget } from './activity-store.ts';
import { type FileSources, foreignContent, ownContent } from './content-store.ts';
import { type Content, canDownloadAgain, decideByHand } from './decide.ts';
import type { RuleOptions } from './options/rule-options.ts';

export interface ActivityRule {
  isPaused: boolean;
  options: RuleOptions;
}

export interface ActivityItem {
  status: ActivityRow['firingState'];
  reason: MessageRef;
  waitingUntil: Date | null;
  repostable: boolean;
  /** What happened on the source after the repost, and why it waits for further accounts. */
  notes: MessageRef[];
}

export function activityItem(row: ActivityRow, rule: ActivityRule, sources: FileSources): ActivityItem {
  const reason = reasonOf(row, rule, sources);
  const waits = row.firingState === 'waiting' && 'untilAt' in reason.params;
  const waitingUntil = waits ? (row.dueAt ?? row.fileDueAt) : null;
  return {
    status: row.firingState,
    // The sentence has the same time, also if it was moved after the decision.
    reason: waitingUntil ? withParam(reason, 'untilAt', waitingUntil.getTime()) : reason,
    waitingUntil,
    repostable: isRepostable(row, rule, sources),
    notes: notesOf(row),
  };
}

function withParam({ code, params }: MessageRef, name: string, value: number): MessageRef {
  return { code, params: { ...params, [name]: value } };
}

/** Whether the caption changed on the source after the repost. */
export function isEdited<R extends Pick<ActivityRow, 'editedAt' | 'firingState'>>(
  row: R,
): row is R & { editedAt: Date } {
  return row.firingState === 'reposted' && row.editedAt !== null;
}

function notesOf(row: ActivityRow): MessageRef[] {
  if (row.firingState !== 'reposted') return [];
  return [
    // A repost has a reason only while it waits to be extended.
    ...(row.reason ? [say('more_accounts', { reason: row.reason })] : []),
    ...(isEdited(row) ? [say('caption_edited')] : []),
    ...(row.goneAt ? [say('source_deleted')] : []),
  ];
}

function reasonOf(row: ActivityRow, { isPaused }: ActivityRule, sources: FileSources): MessageRef {
  const { firingState, reason, fileState, fileProblem, fileDueAt } = row;
  if (firingState === 'reposted') return repostState(row.targets, sources);
  if (firingState === 'skipped') return reason ?? say('gone');
  if (isPaused && !row.byHand) return say('rule_paused');
  if (!reason || reason.code === 'rule_paused') return say('undecided');
  const isRetried = reason.code === 'file_fetching' && fileState === 'wanted' && fileProblem && fileDueAt;
  return isRetried ? say('file_retry', { reason: fileProblem, untilAt: fileDueAt.getTime() }) : reason;
}

/** The state of a repost. @param targets null if it was removed */
function repostState(targets: readonly RepostTarget[] | null, { connectors }: FileSources): MessageRef {
  if (!targets) return say('repost_removed');
  const named = (some: readonly RepostTarget[]) => some.map((target) => accountName(connectors, target)).join(', ');
  const [posted, failed] = ['posted', 'failed'].map((state) => targets.filter((each) => each.state === state));
  const pending = targets.filter(({ state }) => state !== 'posted' && state !== 'failed');
  if (pending.length > 0) return say('reposting', { accounts: named(pending) });
  const [first] = failed ?? [];
  if (!first) return say('reposted', { accounts: named(targets) });
  return posted?.length
    ? say('reposted_partly', { accounts: named(posted), failed: named(failed ?? []) })
    : say('repost_failed', { reason: first.detail ?? first.code ?? '' });
}

/** Whether a repost by hand would be attempted. Destinations that already have it are not considered. */
function isRepostable(row: ActivityRow, { options }: ActivityRule, sources: FileSources): boolean {
  if (row.firingState === 'reposted' || row.reason?.code === 'already_there') return false;
  if (row.firingState === 'waiting' && row.byHand) return false;
  const content = contentOf(row, sources);
  const decision = decideByHand(options, content, true);
  return decision.then !== 'skip' || canDownloadAgain(content);
}

function contentOf(row: ActivityRow, sources: FileSources): Content | null {
  if (row.origin === 'foreign') return foreignContent(row, sources);
  return row.own && ownContent({ ...row.own, username: row.username });
}

/** Maximum length of a shown caption, in UTF-16 units. */
const MAX_CAPTION = 200;

export const shownCaption = (caption: string) => cutText(caption, MAX_CAPTION);
