/** Event streams of signed-in users: tells a browser what has changed, by id. Changes arrive from the database. */
import type { Readable } from 'node:stream';
import type pg from 'pg';
import type { Database } from '../db/database.ts';
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import type { Log } from '../lib/log.ts';
import { createLink, type LinkTimings } from './link.ts';
import { validSessions } from './live-store.ts';
import { type Change, createLiveStream, type LiveStream } from './stream.ts';

export interface Live {
  /**
   * Opens a stream. Its first event is `resync`, once all further changes are announced.
   * @throws ReelayError `busy` above the limit of this process; `draining`
   */
  open(session: { userId: string; sessionId: string }): Readable;
  /** Sends heartbeats, and ends the streams of sessions that are no longer valid. Also called periodically. */
  check(): Promise<void>;
  /** Number of open streams. */
  count(): number;
  /** Ends all streams and accepts no more. */
  drain(): void;
  close(): Promise<void>;
}

export interface LiveOptions {
  db: Database;
  /** The listening connection is not part of the pool. */
  connection: pg.PoolConfig;
  log: Log;
  timings?: LinkTimings;
  limits?: LiveLimits;
}

export interface LiveLimits {
  /** Above this number, a user's oldest stream ends. */
  perUser: number;
  /** Of this process. */
  total: number;
}

const LIMITS: LiveLimits = { perUser: 12, total: 2_000 };
const CHECK_MS = 20_000;
const FULL_RETRY_S = 30;

interface OpenStream {
  userId: string;
  sessionId: string;
  stream: LiveStream;
}

export function createLive({ db, connection, log, timings, limits = LIMITS }: LiveOptions): Live {
  /** By user, oldest first. */
  const open = new Map<string, Set<OpenStream>>();
  let count = 0;
  let isDraining = false;
  let timer: NodeJS.Timeout | undefined;

  const streamsOf = (userId: string) => [...(open.get(userId) ?? [])];
  const all = () => [...open.values()].flatMap((streams) => [...streams]);
  const link = createLink({
    connection,
    userIds: () => [...open.keys()],
    timings,
    onReady(userIds) {
      for (const userId of userIds) for (const { stream } of streamsOf(userId)) stream.resync();
      // A session may have ended before its end was announced.
      void endInvalid(userIds.flatMap(streamsOf));
    },
    onNotification(payload) {
      const [userId = '', type = '', id = ''] = payload.split(' ');
      for (const each of streamsOf(userId)) {
        if (type !== 'session') each.stream.add({ type: type as Change['type'], id });
        else if (each.sessionId === id) end(each);
      }
    },
    onLost: (err) => log.warn({ err }, 'The connection for live updates was lost'),
  });

  /** A database that is not available ends no stream. */
  const endInvalid = async (streams: readonly OpenStream[]): Promise<void> => {
    if (streams.length === 0) return;
    try {
      const valid = await validSessions(db, [...new Set(streams.map(({ sessionId }) => sessionId))]);
      for (const each of streams) if (!valid.has(each.sessionId)) end(each);
    } catch (err) {
      log.warn({ err }, 'The sessions of event streams could not be checked');
    }
  };
  const check = async (): Promise<void> => {
    const streams = all();
    for (const { stream } of streams) stream.beat();
    await endInvalid(streams);
  };
  const remove = (entry: OpenStream) => {
    const streams = open.get(entry.userId);
    if (!streams?.delete(entry)) return;
    count--;
    if (streams.size > 0) return;
    open.delete(entry.userId);
    link.adjust();
    if (count > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const end = (entry: OpenStream) => {
    entry.stream.end();
    remove(entry);
  };
  const drain = () => {
    isDraining = true;
    for (const each of all()) end(each);
  };
  return {
    open({ userId, sessionId }) {
      if (isDraining) throw new ReelayError('draining');
      if (count >= limits.total) throw apiError('streams_full', {}, { extras: { retryAfter: FULL_RETRY_S } });
      const stream = createLiveStream();
      const entry = { userId, sessionId, stream };
      const streams = open.get(userId) ?? new Set();
      const [oldest] = streams;
      // Often a connection whose client disappeared silently.
      if (oldest && streams.size >= limits.perUser) end(oldest);
      open.set(userId, streams.add(entry));
      count++;
      timer ??= setInterval(() => void check(), CHECK_MS);
      stream.readable.once('close', () => remove(entry));
      if (link.isReady(userId)) stream.resync();
      else link.adjust();
      return stream.readable;
    },
    check,
    count: () => count,
    drain,
    async close() {
      drain();
      clearInterval(timer);
      await link.close();
    },
  };
}
