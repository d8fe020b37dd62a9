/** Limits how many servers a user names in a day. The rows outlive attempts to connect, of which only some are kept. */
import { createHash } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { DAY } from '../../lib/time.ts';
import { giveBack, take } from '../../queue/rate-counter.ts';

/** Different servers that a user may name in 24 hours. Each of them may get a registration and stays for days. */
export const MAX_SERVERS_A_DAY = 50;

/**
 * Counts a server, unless the user named it in the last 24 hours: then it can be named again.
 * @returns seconds until another server can be named; 0 if this one may be. At most {@link MAX_SERVERS_A_DAY} rows and one
 * for a user and platform. Index: primary key of `rate`.
 */
export function countServer(
  db: Database,
  { userId, platform, server }: { userId: string; platform: string; server: string },
): Promise<number> {
  const counted = `servers ${userId} ${platform}`;
  const hash = createHash('sha256').update(server).digest('base64url');
  const named = { key: `${counted} ${hash}`, most: 1, windowMs: DAY };
  return db.transaction(async (tx) => {
    // Locks the row, so that a concurrent request for the same server waits for the outcome.
    if (!(await take(tx, named)).allowed) return 0;
    const taken = await take(tx, { key: counted, most: MAX_SERVERS_A_DAY, windowMs: DAY });
    if (taken.allowed) return 0;
    await giveBack(tx, named);
    return taken.resetSeconds;
  });
}
