/**
 * The connection that listens for changes: one per process, open while there are streams. It registers the users whose
 * changes are announced, and reconnects.
 */
import { setTimeout as timer } from 'node:timers/promises';
import type pg from 'pg';
import { createDatabase } from '../db/database.ts';
import { areOlderEnded, CHANNEL, markTransactions, REGISTERED_MS, register } from './live-store.ts';

export interface Link {
  /** Whether all changes of this user are announced. */
  isReady(userId: string): boolean;
  /** Connects, registers new users, or disconnects: call it after the set of users has changed. */
  adjust(): void;
  close(): Promise<void>;
}

export interface LinkOptions {
  connection: pg.PoolConfig;
  /** The users with streams. */
  userIds(): string[];
  onNotification(payload: string): void;
  /** From now on, all changes of these users are announced. Earlier ones may have been missed. */
  onReady(userIds: readonly string[]): void;
  onLost(error: unknown): void;
  timings?: LinkTimings | undefined;
}

/** In ms. */
export interface LinkTimings {
  /** Interval of renewals; also how long the connection stays open without users. */
  renewMs: number;
  /** First delay before a reconnection; it doubles up to {@link MAX_RETRY_MS}. */
  retryMs: number;
}

const TIMINGS: LinkTimings = { renewMs: 20_000, retryMs: 500 };
const MAX_RETRY_MS = 10_000;
/** Names the connection in `pg_stat_activity`. */
export const APPLICATION_NAME = 'reelay live updates';
/** A registration that was not renewed for this long, in ms, may have expired. */
const LAPSED_MS = REGISTERED_MS - 20_000;
/** How long a registration waits for older transactions, in ms. Of ours, only deletions of users take longer. */
const OLDER_WITHIN_MS = 10_000;
const OLDER_PAUSE_MS = 25;

export function createLink(options: LinkOptions): Link {
  const { connection, userIds, onNotification, onReady, onLost, timings: { renewMs, retryMs } = TIMINGS } = options;
  const db = createDatabase({ connection, size: 1, settings: { application_name: APPLICATION_NAME } });
  const ready = new Set<string>();
  const closing = new AbortController();
  let running: Promise<void> | null = null;
  let woken = Promise.withResolvers<void>();

  /** Waits until the next renewal, or until the users change. @throws when the connection is lost */
  const rest = async (lost: Promise<never>): Promise<void> => {
    const ended = new AbortController();
    const signal = AbortSignal.any([ended.signal, closing.signal]);
    try {
      await Promise.race([woken.promise, timer(renewMs, undefined, { signal }).catch(() => {}), lost]);
    } finally {
      ended.abort();
    }
  };

  /** Serves one connection until there are no users. @throws the error that ended it */
  const serve = async (): Promise<void> => {
    const { client, release } = await db.connect();
    const lost = new Promise<never>((_, reject) =>
      client.once('end', () => reject(new Error('The listening connection was closed.'))),
    );
    lost.catch(() => {});
    client.on('notification', ({ payload }) => onNotification(payload ?? ''));
    try {
      await client.query(`listen ${CHANNEL}`);
      let renewedAt = Number.NEGATIVE_INFINITY;
      for (let isResting = false; !closing.signal.aborted; ) {
        woken = Promise.withResolvers();
        const users = new Set(userIds());
        if (users.size === 0 && isResting) return;
        isResting = users.size === 0;
        const age = performance.now() - renewedAt;
        for (const userId of ready) if (age > LAPSED_MS || !users.has(userId)) ready.delete(userId);
        const added = new Set([...users].filter((userId) => !ready.has(userId)));
        if (age >= renewMs) {
          // The database's clock may have moved further than ours.
          for (const userId of await register(client, [...users])) added.add(userId);
          renewedAt = performance.now();
        } else if (added.size > 0) await register(client, [...added]);
        if (added.size > 0) {
          await untilOlderEnd(client, closing.signal);
          for (const userId of added) ready.add(userId);
          onReady([...added]);
        }
        await rest(lost);
      }
    } finally {
      ready.clear();
      // Ends the session, and with it LISTEN.
      release(true);
    }
  };

  const run = async (): Promise<void> => {
    let failures = 0;
    while (userIds().length > 0 && !closing.signal.aborted) {
      const began = performance.now();
      try {
        await serve();
      } catch (error) {
        if (closing.signal.aborted) return;
        onLost(error);
        failures = performance.now() - began > MAX_RETRY_MS ? 1 : failures + 1;
        await timer(Math.min(retryMs * 2 ** (failures - 1), MAX_RETRY_MS), undefined, { signal: closing.signal }).catch(
          () => {},
        );
      }
    }
  };

  const adjust = () => {
    woken.resolve();
    if (running || closing.signal.aborted) return;
    running = run().finally(() => {
      running = null;
      // A stream may have been opened while the last connection was closed.
      if (userIds().length > 0) adjust();
    });
  };
  return {
    isReady: (userId) => ready.has(userId),
    adjust,
    async close() {
      closing.abort();
      woken.resolve();
      await running;
      await db.close();
    },
  };
}

/**
 * Waits for transactions that began before a registration: they may have changed something without announcing it. A
 * transaction that takes too long is not waited for.
 */
async function untilOlderEnd(client: pg.ClientBase, closing: AbortSignal): Promise<void> {
  const mark = await markTransactions(client);
  for (let waited = 0; waited < OLDER_WITHIN_MS && !closing.aborted; waited += OLDER_PAUSE_MS) {
    if (await areOlderEnded(client, mark)) return;
    await timer(OLDER_PAUSE_MS);
  }
}
