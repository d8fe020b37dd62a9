/** Cursors of lists that are ordered by a time, then by an id, both descending. */
import { isUuid } from '../lib/ids.ts';
import { apiError } from './reelay-error.ts';

/** A position in such a list. */
export interface Position {
  /** µs since the epoch: PostgreSQL's resolution, which is finer than that of `Date`. */
  micros: string;
  id: string;
}

/** SQL: a time as in {@link Position}. */
export const microsOf = (time: string): string => `(extract(epoch from ${time}) * 1000000)::bigint::text`;

/**
 * SQL: the rows after a position, whose parts are two successive parameters. Without a position, these are all rows.
 * @param row columns of the time and of the id
 * @param first number of the first parameter
 */
export const isAfter = (row: { time: string; id: string }, first: number): string =>
  `(${row.time}, ${row.id}) < (coalesce(timestamptz 'epoch' + $${first}::bigint * interval '1 microsecond', 'infinity'),
     coalesce($${first + 1}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))`;

/** The form of a cursor in the API. */
export function cursorText({ micros, id }: Position): string {
  return Buffer.from(`${micros}.${id}`).toString('base64url');
}

/** @throws ReelayError `invalid_request` if the text is no cursor */
export function parseCursor(text: string | undefined): Position | null {
  if (text === undefined) return null;
  const [, micros, id = ''] = /^(\d{1,16})\.(.*)$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (micros === undefined || !isUuid(id) || cursorText({ micros, id }) !== text) throw apiError('cursor_invalid');
  return { micros, id };
}
