/** What the simulated platforms published, in pages, newest first. */
import type { PublishedEntry } from '@reelay/sandbox/contract.ts';
import type { Queryable } from '../db/database.ts';
import { apiError } from '../errors/reelay-error.ts';
import { fromJsonb } from './jsonb.ts';

export interface PublishedFilter {
  platform?: string | undefined;
  /** Of the platform; without one, all accounts match. */
  username?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** @throws ReelayError `invalid_request` for a cursor that is not ours */
export async function publishedPage(db: Queryable, { platform, username, cursor, limit }: PublishedFilter) {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw apiError('cursor_invalid');
  const values: unknown[] = [cursor ?? null, limit + 1];
  const where = (column: string, value: string | undefined) =>
    value === undefined ? '' : `and ${column} = $${values.push(value)}`;
  // Indexes: published_of_account, published_of_platform, or the primary key.
  // Not called `seq`: the result would be ordered by the text.
  const rows = await db.query<{ key: string; platform: string; entry: unknown }>(
    `select seq::text as key, platform, entry from sandbox.published
     where not removed and ($1::bigint is null or seq < $1)
       ${where('platform', platform)} ${where(`entry->>'username'`, platform === undefined ? undefined : username)}
     order by seq desc limit $2`,
    values,
  );
  const shown = rows.slice(0, limit);
  return {
    data: shown.map(({ key, platform, entry }) => present(key, platform, fromJsonb<PublishedEntry>(entry))),
    next: rows.length > limit ? (shown.at(-1)?.key ?? null) : null,
  };
}

function present(
  key: string,
  platform: string,
  { id, username, text, url, publishedAt, bytes, sha256 }: PublishedEntry,
) {
  const video = `/sandbox/media/${encodeURIComponent(platform)}/${encodeURIComponent(id)}`;
  return {
    key,
    platform,
    id,
    username,
    text,
    url,
    video,
    publishedAt: new Date(publishedAt).toISOString(),
    bytes,
    sha256,
  };
}
