/** Presents rules and the state of their watches. */
import type { z } from 'zod';
import type { Config } from '../../config/config.ts';
import type { Context } from '../../context.ts';
import { mediaAddress } from '../../http/addresses.ts';
import type { MessageRenderer } from '../../messages/message.ts';
import { say } from '../../messages/rules.ts';
import { type ActivityRule, activityItem, isEdited, shownCaption } from '../../reposts/activity.ts';
import type { ActivityRow } from '../../reposts/activity-store.ts';
import { completeOptions, dailyLimit, type StoredOptions } from '../../reposts/options/rule-options.ts';
import type { PendingPost } from '../../reposts/pending-store.ts';
import { type RuleAccount, readRules } from '../../reposts/rule-store.ts';
import { readWatchStatuses, type WatchStatus } from '../../reposts/watch-status.ts';
import type { account, rule, activityItem as shownItem, watch } from './schemas.ts';

type ShowDeps = Pick<Context, 'db' | 'config' | 'connectors' | 'renderMessage' | 'renderIn'>;

/** Some of the user's rules, newest first. */
export async function showRules(
  deps: ShowDeps,
  userId: string,
  ids: readonly string[],
): Promise<z.input<typeof rule>[]> {
  const rows = await readRules(deps.db, userId, ids);
  const watches = await readWatchStatuses(deps, [...new Set(rows.map(({ source }) => source.id))]);
  return rows.flatMap((row) => {
    const status = watches.get(row.source.id);
    // Deleted meanwhile.
    if (!status) return [];
    const options = completeOptions(row.options);
    return {
      id: row.id,
      from: showAccount(deps.config, row.source),
      to: row.destinations.map((each) => showAccount(deps.config, each)),
      date: row.created_at.toISOString(),
      isPaused: row.is_paused,
      ...(row.is_paused ? { between: row.keeps_posts ? ('keep' as const) : ('skip' as const) } : {}),
      options: { ...options, privacy: { ...options.privacy } },
      dailyLimits: { own: dailyLimit(options, 'own'), foreign: dailyLimit(options, 'foreign') },
      watch: showWatch(status, ruleRenderer(deps, row.options)),
    };
  });
}

/** Renders messages about a rule: times are in the rule's zone, if it has one, else in the reader's. */
export function ruleRenderer(
  { renderMessage, renderIn }: Pick<Context, 'renderMessage' | 'renderIn'>,
  options: StoredOptions,
): MessageRenderer {
  const zone = options.zone ?? options.quietHours?.zone;
  return zone ? renderIn(zone) : renderMessage;
}

/** Presents items of a rule's activity. */
export function showActivity(
  rows: readonly ActivityRow[],
  rule: ActivityRule,
  { connectors, config }: Pick<Context, 'connectors' | 'config'>,
  render: MessageRenderer,
): z.input<typeof shownItem>[] {
  const sources = { connectors, downloads: config.downloader !== null };
  return rows.map((row) => {
    const { status, reason, waitingUntil, repostable, notes } = activityItem(row, rule, sources);
    return {
      id: row.id,
      seenAt: row.seenAt.toISOString(),
      publishedAt: row.publishedAt?.toISOString() ?? null,
      origin: row.origin,
      caption: shownCaption(row.caption),
      url: row.shownUrl,
      durationMs: row.shownDurationMs,
      status,
      reason: reason.code,
      text: [reason, ...notes].map((each) => render(each)).join(' '),
      ...(waitingUntil ? { waitingUntil: waitingUntil.toISOString() } : {}),
      ...(row.postId ? { postId: row.postId } : {}),
      repostable,
      ...(row.goneAt ? { sourceDeletedAt: row.goneAt.toISOString() } : {}),
      ...(isEdited(row) ? { sourceEditedAt: row.editedAt.toISOString() } : {}),
    };
  });
}

/** Presents found posts that rules cannot decide about yet. */
export function showPending(rows: readonly PendingPost[], render: MessageRenderer): z.input<typeof shownItem>[] {
  const reason = say('match_pending');
  return rows.map(({ seenAt, publishedAt, caption, ...row }) => ({
    ...row,
    seenAt: seenAt.toISOString(),
    publishedAt: publishedAt.toISOString(),
    origin: 'foreign',
    caption: shownCaption(caption),
    status: 'waiting',
    reason: reason.code,
    text: render(reason),
    repostable: false,
  }));
}

export function showWatch(
  { mode, note, checkedAt, nextCheckAt, problem, reads }: WatchStatus,
  render: MessageRenderer,
): z.input<typeof watch> {
  return {
    mode,
    text: note ? render(note) : '',
    checkedAt: checkedAt?.toISOString() ?? null,
    nextCheckAt: nextCheckAt?.toISOString() ?? null,
    problem: problem && render(problem),
    ...(reads ? { readsToday: reads.today, readLimit: reads.limit, costToday: reads.usdToday } : {}),
  };
}

function showAccount(config: Config, row: RuleAccount): z.input<typeof account> {
  return {
    id: row.id,
    platform: row.platform,
    usernameImage: mediaAddress(config, row.avatar),
    username: row.username,
    status: row.status,
    displayName: row.display_name,
  };
}
