/** Reads the history: pages, and streamed ranges. */
import type { Readable } from 'node:stream';
import { accessEnd } from '../accounts/tokens/token-lifetime.ts';
import type { Connector } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import { isUuid } from '../lib/ids.ts';
import { patientStream } from '../lib/patient-stream.ts';
import type { SharedSemaphore } from '../lib/semaphore.ts';
import type { Wording } from '../publishing/target-detail.ts';
import { type Presentation, presentDetailed, presentEntry } from './entry-json.ts';
import { type EntryRow, type Range, readDetailed, readEntries, readPage, readRange } from './history-store.ts';

export const PAGE_SIZE = 10;

/** @param page from 1 */
export async function historyPage(db: Database, userId: string, page: number, presentation: Presentation) {
  const { entries, total } = await readPage(db, userId, (page - 1) * PAGE_SIZE, PAGE_SIZE);
  return { data: entries.map((entry) => presentEntry(entry, presentation)), total };
}

/** @throws ReelayError `unknown_post` */
export async function onePost(
  db: Database,
  userId: string,
  postId: string,
  { connectors, address, ...wording }: { connectors: Readonly<Record<string, Connector>> } & Presentation & Wording,
) {
  const row = isUuid(postId) ? await readDetailed(db, userId, postId) : undefined;
  if (!row) throw new ReelayError('unknown_post');
  return presentDetailed(row, address, wording, (platform, access) => accessEnd(connectors[platform], access));
}

export interface RangeOptions {
  range: Range;
  presentation: Presentation;
  /** A user's downloads run one after the other: each keeps the ids of its entries in memory. */
  streams: SharedSemaphore;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** Maximum time in ms that a reader may take nothing. */
  patienceMs?: number;
}

/**
 * Streams all entries of a range as the response text. Which entries and in what order is decided at the start; each is
 * read when the client takes it, so that no transaction or connection is held for a slow reader. Errors before the first
 * byte are thrown; later errors break the stream. The total comes last, when it is known.
 */
export async function historyRange(db: Database, userId: string, options: RangeOptions): Promise<Readable> {
  const started = Promise.withResolvers<Readable>();
  const hold = async () => {
    const batches = readEntries(db, userId, await readRange(db, userId, options.range));
    const text = writeAll(await batches.next(), batches, options.presentation);
    const stream = patientStream(text, options.patienceMs);
    started.resolve(stream);
    await new Promise<void>((resolve) => stream.once('close', resolve));
  };
  options.streams.run(userId, hold, options.signal).catch(started.reject);
  return started.promise;
}

/** Each piece is one entry, so that a slow reader takes one from time to time. */
async function* writeAll(
  first: IteratorResult<EntryRow[]>,
  others: AsyncGenerator<EntryRow[]>,
  presentation: Presentation,
): AsyncGenerator<string> {
  let total = 0;
  yield '{"success":true,"data":[';
  for (let batch = first; !batch.done; batch = await others.next()) {
    for (const row of batch.value) {
      const text = JSON.stringify(presentEntry(row, presentation));
      yield total > 0 ? `,${text}` : text;
      total += 1;
    }
  }
  yield `],"total":${total}}`;
}
