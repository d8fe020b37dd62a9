/**
 * Sends notifications to devices and chats, at least once. A fact waits some seconds for others, and a channel gets at most
 * one message a minute: all facts since the last one. A crash between sending and recording repeats one message. Each
 * channel has its own facts and its own turn, so a failing one delays and repeats no other.
 */
import { createHash } from 'node:crypto';
import type { Connector } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import { HOUR, MINUTE, SECOND } from '../lib/time.ts';
import { quietUntil } from '../local-time/quiet-hours.ts';
import { sayChannel } from '../messages/channels.ts';
import type { Languages } from '../messages/languages.ts';
import { chatText } from '../messages/notification-chat.ts';
import { type Entry, withSubjects } from '../notifications/entries.ts';
import type { NotificationKind } from '../notifications/kinds.ts';
import { mailedEntry } from '../notifications/mailed-entry.ts';
import { entriesOf } from '../notifications/notification-store.ts';
import { readSettings } from '../notifications/setting-store.ts';
import { type Claim, runOrRetry } from '../queue/claim.ts';
import { createDueLoop, type DueLoop } from '../queue/loop.ts';
import { holderOf } from '../queue/shares.ts';
import type { ChannelPresence } from './channel-service.ts';
import {
  type ChannelRow,
  dueChannels,
  findReader,
  finishDelivery,
  gatherDeliveries,
  postponeDelivery,
  type Reader,
  stopChannel,
  waitingFacts,
} from './channel-store.ts';
import type { ChannelMessage } from './chat-requests.ts';
import type { ChannelKind } from './kinds.ts';
import type { Sender } from './sender.ts';

/** What a log line names. */
export interface LoggedChannel {
  userId: string;
  channelId: string;
  kind: ChannelKind;
}

export interface ChannelLoopDeps {
  db: Database;
  connectors: Readonly<Record<string, Pick<Connector, 'name' | 'oauth' | 'credentials'>>>;
  languages: Languages;
  sender: Sender;
  presence: ChannelPresence;
  /** Of the dashboard's links. */
  publicUrl: string;
  onSent(channel: LoggedChannel, facts: number): void;
  /** A message could not be sent. @param code of the failure's message */
  onFailed(channel: LoggedChannel, code: string, isStopped: boolean): void;
  onRemoved(channel: LoggedChannel): void;
  /** Facts were not delivered within a day. */
  onGivenUp(channel: LoggedChannel, facts: number): void;
  onError(error: unknown): void;
  /** ms of a monotonic clock. */
  monotonic(): number;
}

/** Longer than a request and its statements take, in ms. */
const LEASE_MS = 2 * MINUTE;
const MAX_PAUSE_MS = HOUR;
const POLL_MS = 5_000;
const CONCURRENCY = 16;

/** Creates the loop. It is not started yet. */
export function createChannelLoop(deps: ChannelLoopDeps): DueLoop {
  const { db, presence, onError, monotonic } = deps;
  return createDueLoop<Claim<ChannelRow>>({
    async claim(limit, limits) {
      if (!(await presence.any())) return [];
      await gatherDeliveries(db);
      return dueChannels.claim(db, { limit, leaseMs: LEASE_MS, limits });
    },
    holder: holderOf,
    run: (claim) =>
      runOrRetry(db, dueChannels, claim, { run: () => deliver(deps, claim), onError, maxPauseMs: MAX_PAUSE_MS }),
    concurrency: CONCURRENCY,
    withinMs: LEASE_MS,
    clock: monotonic,
    onError,
    everyMs: POLL_MS,
  });
}

/** Delivers what waits for one channel. @throws Error for a failure of our own */
async function deliver(deps: ChannelLoopDeps, claim: Claim<ChannelRow>): Promise<void> {
  const { db, connectors } = deps;
  const { user_id: userId, kind } = claim.row;
  const [reader, settings, facts] = await Promise.all([
    findReader(db, userId),
    readSettings(db, userId),
    waitingFacts(db, claim.key),
  ]);
  if (!reader) return void (await dueChannels.remove(db, claim));
  const all = facts.map(({ id }) => id);
  const wanted = facts.filter(
    ({ kind: fact, isRead, isOld }) =>
      settings[fact as NotificationKind]?.push && !isRead && !isOld && !reader.suspended,
  );
  const rows = await entriesOf(
    db,
    wanted.map(({ id }) => id),
  );
  const entries = (await withSubjects({ db, connectors }, rows)).filter(({ isResolved }) => !isResolved);
  const channel = { userId, channelId: claim.key, kind };
  const old = facts.filter(({ isOld }) => isOld).length;
  if (old > 0) deps.onGivenUp(channel, old);
  if (entries.length === 0) return void (await finishDelivery(db, claim, { facts: all, sent: false }));
  const quietMs = quietFor(reader);
  if (quietMs > 0) return void (await dueChannels.release(db, claim, { afterMs: quietMs, failed: false }));
  const outcome = await deps.sender.send(claim.row, await messageOf(deps, reader, entries));
  if (outcome.kind === 'sent') {
    await finishDelivery(db, claim, { facts: all, sent: true });
    return deps.onSent(channel, wanted.length);
  }
  if (outcome.kind === 'gone') {
    await dueChannels.remove(db, claim);
    return deps.onRemoved(channel);
  }
  const { failure } = outcome;
  if (outcome.kind === 'refused') await stopChannel(db, claim, failure);
  else {
    const growing = Math.min(2 * SECOND * 2 ** claim.attempts, MAX_PAUSE_MS);
    const retried = sayChannel('retried', { reason: failure });
    await postponeDelivery(db, claim, { failure: retried, afterMs: Math.max(growing, outcome.afterMs ?? 0) });
  }
  deps.onFailed(channel, failure.code, outcome.kind === 'refused');
}

/** Pure. ms until the quiet hours end; 0 outside of them. */
function quietFor({ quietHours, zone, now }: Reader): number {
  const at = now.getTime();
  return (quietUntil(quietHours && { ...quietHours, zone }, at) ?? at) - at;
}

async function messageOf(
  { connectors, languages, publicUrl }: ChannelLoopDeps,
  { language: chosen, zone }: Reader,
  entries: readonly Entry[],
): Promise<ChannelMessage> {
  const { language, renderIn } = await languages.texts(chosen ?? 'en');
  const wording = { render: renderIn(zone), english: languages.english.render };
  const nameOf = (platform: string) => connectors[platform]?.name ?? platform;
  const url = `${publicUrl}/app`;
  const described = entries.map((entry) => mailedEntry(entry, { url, nameOf, wording }));
  const [first] = described;
  return {
    ...chatText(language, zone, described),
    url: first && described.length === 1 ? first.url : `${url}/`,
    tag: tagOf(entries),
  };
}

/** The same for the same subjects: a post that is retried and then fails replaces its earlier message. */
function tagOf(entries: readonly Entry[]): string {
  const subjects = entries.map(({ post, account }) => post?.id ?? account.id);
  return createHash('sha256')
    .update([...new Set(subjects)].toSorted().join(' '))
    .digest('base64url')
    .slice(0, 32);
}
