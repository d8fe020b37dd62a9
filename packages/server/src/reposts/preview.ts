/** Previews what a rule would do with the latest content of its source. It locks and writes nothing. */

import type { Config } from '../config/config.ts';
import type { Connector } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import { accountName, handleOf } from '../lib/handle.ts';
import { isUuid } from '../lib/ids.ts';
import { findCandidates } from '../lineage/copies.ts';
import { dayOf } from '../local-time/days.ts';
import type { Message, MessageRef } from '../messages/message.ts';
import { say } from '../messages/rules.ts';
import { databaseNow } from '../posts/post-store.ts';
import { type FileSources, foreignContent, ownContent } from './content-store.ts';
import { type Content, type DecisionFacts, decide } from './decide.ts';
import { verdictOf } from './destinations.ts';
import { findDoubles, wouldCloseCircle } from './edge-store.ts';
import { NOTHING_TODAY, readToday } from './firing-store.ts';
import { renderCaption } from './options/caption.ts';
import { assertPreviewText, assertTemplates } from './options/caption-limits.ts';
import { type CaptionPreview, previewCaption } from './options/preview.ts';
import { privacyOptions } from './options/privacy.ts';
import {
  completeOptions,
  dailyLimit,
  type GivenOptions,
  mergeOptions,
  type RuleOptions,
  type StoredOptions,
} from './options/rule-options.ts';
import { type KnownItem, latestItems, type PreviewAccount, reachedIdentities, readAccounts } from './preview-store.ts';
import { readRules } from './rule-store.ts';
import { assertPrivacy } from './service.ts';
import { readWatchStatuses, type WatchStatus } from './watch-status.ts';

export interface PreviewDeps {
  db: Database;
  config: Pick<Config, 'sandbox' | 'settings' | 'downloader'>;
  connectors: Readonly<Record<string, Connector>>;
}

/** A rule that exists, or one that may be added. */
export interface PreviewedRule {
  from: string;
  to: readonly string[];
  options?: GivenOptions | undefined;
}

/** A caption to preview; absent: that of the newest item. */
export interface PreviewedText {
  text?: string | undefined;
  url?: string | undefined;
}

export interface ItemPreview {
  publishedAt: Date;
  content: Content;
  status: 'repost' | 'wait' | 'skip';
  reason: MessageRef;
  repostCaption: string | null;
}

export interface RulePreview {
  /** The options that were previewed. */
  options: StoredOptions;
  warnings: { code: string; message: Message }[];
  watch: WatchStatus;
  items: ItemPreview[];
  captions: CaptionPreview[];
}

/** Maximum number of items. */
const ITEMS = 20;

/**
 * Previews a rule that does not exist yet.
 * @throws ReelayError `unknown_platform`, `invalid_request` (privacy)
 */
export async function previewNew(
  deps: PreviewDeps,
  userId: string,
  rule: PreviewedRule & PreviewedText,
): Promise<RulePreview> {
  const to = [...new Set(rule.to)];
  const options = mergeOptions({}, rule.options ?? {});
  assertTemplates(options);
  const preview = await previewRule(deps, userId, { ...rule, to, options, ruleId: null });
  const warnings: RulePreview['warnings'] = [];
  if (await wouldCloseCircle(deps.db, userId, { from: rule.from, to }))
    warnings.push(warningOf(new ReelayError('circular_dependency')));
  for (const id of await findDoubles(deps.db, rule.from, to)) warnings.push(warningOf(apiError('rule_exists', { id })));
  return { ...preview, warnings: [...warnings, ...preview.warnings] };
}

/**
 * Previews an existing rule.
 * @param given changed options @throws ReelayError `unknown_rule`, `invalid_request` (privacy)
 */
export async function previewExisting(
  deps: PreviewDeps,
  userId: string,
  ruleId: string,
  { options: given, ...text }: PreviewedText & { options?: GivenOptions | undefined },
): Promise<RulePreview> {
  const [rule] = isUuid(ruleId) ? await readRules(deps.db, userId, [ruleId]) : [];
  if (!rule) throw new ReelayError('unknown_rule');
  const options = mergeOptions(rule.options, given ?? {});
  assertTemplates(options, rule.options);
  const to = rule.destinations.map(({ id }) => id);
  return previewRule(deps, userId, { ...text, ruleId, from: rule.source.id, to, options });
}

const warningOf = ({ code, said }: ReelayError) => ({ code, message: said });

interface Wanted extends PreviewedText {
  ruleId: string | null;
  from: string;
  to: readonly string[];
  options: StoredOptions;
}

async function previewRule(deps: PreviewDeps, userId: string, wanted: Wanted): Promise<RulePreview> {
  const { db, connectors, config } = deps;
  assertPreviewText(wanted.text);
  const ids = [wanted.from, ...wanted.to];
  const byId = new Map((await readAccounts(db, userId, ids.filter(isUuid))).map((each) => [each.id, each]));
  const accounts = ids.map((id) => {
    const account = byId.get(id);
    if (!account) throw apiError('account_not_found', { id: id.slice(0, 100) });
    return account;
  });
  const [source, ...destinations] = accounts as [PreviewAccount, ...PreviewAccount[]];
  assertPrivacy(connectors, wanted.options, destinations);
  const watch = (await readWatchStatuses(deps, [source.id])).get(source.id);
  if (!watch) throw apiError('account_not_found', { id: source.id });
  const unusable = accounts.filter(({ status, sandbox }) => status !== 'CONNECTED' || (sandbox && !config.sandbox));
  const options = completeOptions(wanted.options);
  const items = await previewItems(deps, { options, source, destinations, ruleId: wanted.ruleId });
  const latest = items[0]?.content;
  const isGiven = wanted.text !== undefined;
  const caption = renderCaption(options.caption, {
    caption: wanted.text ?? latest?.caption ?? '',
    sourceName: handleOf(source.username),
    url: wanted.url ?? (isGiven ? null : (latest?.url ?? null)),
  });
  const places = destinations.map(({ id, platform, capabilities }) => ({
    accountId: id,
    capabilities,
    options: privacyOptions(options.privacy, id),
    connector: connectors[platform],
  }));
  return {
    options: wanted.options,
    warnings: [
      ...unusable.map(({ id }) => warningOf(apiError('account_not_connected', { account: id }))),
      ...(watch.note ? [{ code: watch.note.code, message: watch.note }] : []),
    ],
    watch,
    items,
    captions: previewCaption(caption, places),
  };
}

interface Parties {
  options: RuleOptions;
  source: PreviewAccount;
  destinations: readonly PreviewAccount[];
  ruleId: string | null;
}

async function previewItems({ db, connectors, config }: PreviewDeps, parties: Parties): Promise<ItemPreview[]> {
  const { options, source, destinations, ruleId } = parties;
  const known = await latestItems(db, source.id, { fit: options.fit ?? '', limit: ITEMS });
  const identities = destinations.map(({ identityId }) => identityId);
  const origins = known.map(({ originId }) => originId);
  const reached = await reachedIdentities(db, origins, identities);
  const isReached = new Set(reached.map(({ originId, identityId }) => `${originId} ${identityId}`));
  const now = await databaseNow(db);
  const day = dayOf(now, options.zone);
  const { count, ahead } = ruleId ? await readToday(db, { ruleId, firingId: null, since: day.start }) : NOTHING_TODAY;
  const previews: ItemPreview[] = [];
  for (const item of known) {
    const content = contentOf(item, { connectors, downloads: config.downloader !== null });
    const limit = dailyLimit(options, content.origin);
    const left = destinations.filter(({ identityId }) => !isReached.has(`${item.originId} ${identityId}`));
    const copied = await identitiesWithCopy(db, item, content, left);
    const open = left.filter(({ identityId }) => !copied.has(identityId));
    const facts = {
      now,
      seenAt: now,
      chance: 0,
      byHand: false,
      pace: null,
      options,
      content,
      openDestinations: open.length,
      copies: left.filter((each) => !open.includes(each)).map((account) => accountName(connectors, account)),
      needsLength: false,
      today: limit === null ? null : { count, limit, ahead, endsAt: day.end },
      limitedAt: null,
    };
    const labels = open.map((account) => accountName(connectors, account));
    previews.push({ publishedAt: item.publishedAt, content, ...outcomeOf(facts, content, labels) });
  }
  return previews;
}

/** Identities on which a copy of an item is known. */
async function identitiesWithCopy(
  db: Database,
  item: KnownItem,
  content: Content,
  accounts: readonly PreviewAccount[],
): Promise<ReadonlySet<string>> {
  const form = { ...item.form, originId: item.originId, at: item.publishedAt.getTime(), isOld: false };
  const candidates = await findCandidates(
    db,
    form,
    accounts.map(({ identityId }) => identityId),
  );
  const copies = candidates.filter((each) => ['copy', 'maybe'].includes(verdictOf(form, each, content, 0)));
  return new Set(copies.map(({ identityId }) => identityId));
}

function contentOf(item: KnownItem, sources: FileSources): Content {
  return item.own
    ? { ...ownContent({ ...item.own, username: item.username }), isGone: item.isGone }
    : foreignContent(item, sources);
}

/** The decision, as if the file were there if it can be fetched. */
function outcomeOf(
  facts: DecisionFacts,
  content: Content,
  labels: readonly string[],
): Pick<ItemPreview, 'status' | 'reason' | 'repostCaption'> {
  const first = decide(facts);
  const needsFile = first.then === 'fetch' || (first.then === 'wait' && first.until === null);
  const decision = needsFile ? decide({ ...facts, content: { ...content, file: { state: 'stored' } } }) : first;
  if (decision.then === 'skip') return { status: 'skip', reason: decision.reason, repostCaption: null };
  if (decision.then === 'repost') {
    const reason = say('would_repost', { accounts: labels.join(', ') });
    return { status: 'repost', reason, repostCaption: decision.caption };
  }
  const repostCaption = renderCaption(facts.options.caption, content).text;
  return { status: 'wait', reason: decision.reason, repostCaption };
}
