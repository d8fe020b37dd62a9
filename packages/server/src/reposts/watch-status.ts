/** What a rule's source shows of posts made with other clients, and the state of its checks. */
import type { Config } from '../config/config.ts';
import type { Capabilities, Connector } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';
import type { Message, MessageRef } from '../messages/message.ts';
import { say } from '../messages/rules.ts';
import { readLimitOf } from '../publishing/read-limit.ts';
import { readsToday } from '../publishing/reads-store.ts';

/**
 * Which posts on the source a rule can repost. `own`: those made through this service. `announce`: the same; others are
 * listed, but the platform does not give their files. `files`: all.
 */
export type WatchMode = 'own' | 'announce' | 'files';

export interface WatchStatus {
  mode: WatchMode;
  /** What the source cannot deliver; null if nothing. */
  note: Message | null;
  checkedAt: Date | null;
  nextCheckAt: Date | null;
  /** Why new posts are not read; null if they are. */
  problem: MessageRef | null;
  /** Only if the platform charges for reads. */
  reads?: { today: number; limit: number; usdToday: number };
}

/** An account as its watch concerns it. */
export interface WatchedAccount {
  id: string;
  platform: string;
  status: string;
  sandbox: boolean;
  /** null: not known. */
  watch: Capabilities['watch'] | null;
  checkedAt: Date | null;
  nextCheckAt: Date | null;
  problem: MessageRef | null;
}

type WatchConnectors = Readonly<Record<string, Pick<Connector, 'name' | 'watch' | 'federated'>>>;

interface Deps {
  db: Queryable;
  connectors: WatchConnectors;
  config: Pick<Config, 'settings' | 'downloader'>;
}

/** Reads the state of the watches of some accounts, by account id. Indexes: primary keys. */
export async function readWatchStatuses(
  { db, connectors, config }: Deps,
  accountIds: readonly string[],
): Promise<Map<string, WatchStatus>> {
  const rows = await db.query<WatchedAccount>(
    `select a.id, a.platform, a.status, a.sandbox, a.capabilities->>'watch' as watch, w.checked_at as "checkedAt",
       w.due_at as "nextCheckAt", w.problem
     from account a join identity d on d.id = a.identity_id left join watch w on w.id = d.watch_id
     where a.id = any($1::uuid[])`,
    [accountIds],
  );
  const reads = new Map<string, number>();
  for (const { platform, sandbox } of rows)
    if (connectors[platform]?.watch?.charge && !sandbox && !reads.has(platform))
      reads.set(platform, (await readsToday(db, platform, null)).reads);
  const settings = (platform: string) => config.settings[platform] ?? {};
  return new Map(
    rows.map((row) => {
      const { id, platform } = row;
      const known = {
        connector: connectors[platform],
        downloads: config.downloader !== null,
        settings: settings(platform),
        reads: reads.get(platform) ?? 0,
      };
      return [id, watchStatus(row, known)];
    }),
  );
}

/** Pure. */
export function watchStatus(
  account: WatchedAccount,
  known: {
    connector: WatchConnectors[string] | undefined;
    /** Whether an external downloader is configured. */
    downloads: boolean;
    /** The operator's settings for the platform. */
    settings: Readonly<Record<string, string>>;
    /** Charged reads of today. */
    reads: number;
  },
): WatchStatus {
  const { connector } = known;
  const mode = watchMode(account.watch, connector, known.downloads);
  const charge = account.sandbox ? undefined : connector?.watch?.charge;
  const isDisconnected = mode !== 'own' && account.status !== 'CONNECTED';
  return {
    mode,
    note: noteOn(mode, connector?.name ?? account.platform),
    checkedAt: account.checkedAt,
    nextCheckAt: isDisconnected ? null : account.nextCheckAt,
    problem: isDisconnected ? say('watch_disconnected') : account.problem,
    ...(charge && mode !== 'own'
      ? {
          reads: {
            today: known.reads,
            limit: readLimitOf(charge, known.settings),
            usdToday: Number((known.reads * charge.usd).toFixed(4)),
          },
        }
      : {}),
  };
}

/** @param downloads whether an external downloader is configured */
export function watchMode(
  watch: Capabilities['watch'] | null,
  connector: Pick<Connector, 'watch' | 'federated'> | undefined,
  downloads: boolean,
): WatchMode {
  if (!connector?.watch || watch === null || watch === 'own') return 'own';
  const givesFiles = watch !== 'announce' && connector.watch.file !== undefined;
  return givesFiles || (downloads && connector.federated === false) ? 'files' : 'announce';
}

function noteOn(mode: WatchMode, platform: string): Message | null {
  if (mode === 'files') return null;
  return mode === 'own' ? say('watch_own_only', { platform }) : say('watch_announce_only', { platform });
}
