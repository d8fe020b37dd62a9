/** Reads the history: pages, and streamed ranges. */
import { Readable } from 'node:stream';
import { accessEnd } from '../accounts/tokens/token-lifetime.ts';
import type { Connector } from '../connectors/contract.ts';
import { asUnavailable, type Database } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import { isUuid } from '../ids.ts';
import type { KeyedSemaphore } from '../media/semaphore.ts';
import type { Wording } from '../publishing/detail.ts';
import {
  closeRange,
  type EntryRow,
  fetchMore,
  openRange,
  type Range,
  readDetailed,
  readPage,
} from './history-store.ts';
import { type PictureAddress, presentDetailed, presentEntry } from './present.ts';

export const PAGE_SIZE = 10;
/** Default of `patienceMs`. The transaction itself has no idle timeout. */
const PATIENCE_MS = 15_000;

/** @param page from 1 */
export async function historyPage(db: Database, userId: string, page: number, address: PictureAddress) {
  const { entries, total } = await readPage(db, userId, (page - 1) * PAGE_SIZE, PAGE_SIZE);
  return { data: entries.map((entry) => presentEntry(entry, address)), total };
}

/** @throws ReelayError `unknown_post` */
export async function onePost(
  db: Database,
  userId: string,
  postId: string,
  address: PictureAddress,
  { connectors, ...wording }: { connectors: Readonly<Record<string, Connector>> } & Wording,
) {
  const row = isUuid(postId) ? await readDetailed(db, userId, postId) : undefined;
  if (!row) throw new ReelayError('unknown_post');
  return presentDetailed(row, address, wording, (platform, access) => accessEnd(connectors[platform], access));
}

export interface RangeOptions {
  range: Range;
  address: PictureAddress;
  /** Limits concurrent history streams, one per user: each holds a connection until its reader is done. */
  streams: KeyedSemaphore;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** Maximum time in ms that a reader may take nothing. */
  patienceMs?: number;
}

/**
 * Streams all entries of a range as the response text, from one snapshot, in constant memory. Errors before the first
 * byte are thrown; later errors break the stream. The total comes last, when it is known.
 */
export async function historyRange(db: Database, userId: string, options: RangeOptions): Promise<Readable> {
  const started = Promise.withResolvers<Readable>();
  const hold = async () => {
    const { client, release } = await db.connect();
    let broken = true;
    try {
      await openRange(client, userId, options.range);
      const first = await fetchMore(client);
      const text = writeAll(first, () => fetchMore(client), options.address);
      const stream = streamWithBackpressure(text, options.patienceMs ?? PATIENCE_MS);
      started.resolve(stream);
      await new Promise<void>((resolve) => stream.once('close', resolve));
      await closeRange(client);
      broken = false;
    } finally {
      release(broken);
    }
  };
  options.streams.run(userId, hold, options.signal).catch((error) => started.reject(asUnavailable(error)));
  return started.promise;
}

async function* writeAll(
  first: EntryRow[],
  more: () => Promise<EntryRow[]>,
  address: PictureAddress,
): AsyncGenerator<string> {
  let total = 0;
  yield '{"success":true,"data":[';
  for (let rows = first; rows.length > 0; rows = await more()) {
    const text = rows.map((row) => JSON.stringify(presentEntry(row, address))).join(',');
    yield total > 0 ? `,${text}` : text;
    total += rows.length;
  }
  yield `],"total":${total}}`;
}

/** A stream that fails if its consumer reads nothing for too long. */
function streamWithBackpressure(pieces: AsyncIterable<string>, patienceMs: number): Readable {
  const wait = () => setTimeout(() => stream.destroy(new Error('The reader took nothing for too long.')), patienceMs);
  let timer = wait();
  const timed = async function* () {
    for await (const piece of pieces) {
      clearTimeout(timer);
      timer = wait();
      yield piece;
      clearTimeout(timer);
    }
  };
  const stream = Readable.from(timed(), { objectMode: false });
  return stream.once('close', () => clearTimeout(timer));
}
