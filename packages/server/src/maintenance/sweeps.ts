/**
 * All sweeps with their intervals, and the loop that runs them. Running a sweep twice, or on several nodes, is
 * harmless.
 */
import { sweepAudit } from '../audit/write-audit.ts';
import { DAY, HOUR, MINUTE } from '../lib/time.ts';
import { sweepRenditions } from '../media/rendition/rendition-store.ts';
import { sweepBudgets } from '../publishing/budgets.ts';
import { createDueLoop, type DueLoop } from '../queue/loop.ts';
import { sweepUploads } from '../uploads/remove.ts';
import { sweepSecurityMails } from '../users/security-mail-store.ts';
import { sweepCatalogPages } from '../watching/catalog-page-store.ts';
import { sweepOldVideos, sweepOrphans } from './media.ts';
import {
  sweepActivity,
  sweepAliveMinutes,
  sweepCancelled,
  sweepConsents,
  sweepDisconnected,
  sweepIdempotency,
  sweepNotifications,
  sweepServerApps,
  sweepWorkers,
} from './rows.ts';
import type { MaintenanceDeps } from './types.ts';

export interface Sweep {
  name: string;
  everyMs: number;
  /** @returns number of removed items */
  run(deps: MaintenanceDeps): Promise<number>;
}

export const SWEEPS: readonly Sweep[] = [
  { name: 'old videos', everyMs: HOUR, run: sweepOldVideos },
  { name: 'renditions', everyMs: 5 * MINUTE, run: ({ db }) => sweepRenditions(db) },
  { name: 'orphans', everyMs: HOUR, run: sweepOrphans },
  { name: 'uploads', everyMs: 10 * MINUTE, run: ({ db }) => sweepUploads(db) },
  { name: 'scratch files', everyMs: HOUR, run: ({ storage }) => storage.sweep(DAY) },
  { name: 'idempotency keys', everyMs: HOUR, run: ({ db }) => sweepIdempotency(db) },
  { name: 'cancelled posts', everyMs: HOUR, run: ({ db }) => sweepCancelled(db) },
  { name: 'activity', everyMs: HOUR, run: ({ db }) => sweepActivity(db) },
  { name: 'minutes', everyMs: HOUR, run: ({ db }) => sweepAliveMinutes(db) },
  { name: 'workers', everyMs: HOUR, run: ({ db }) => sweepWorkers(db) },
  { name: 'consents', everyMs: HOUR, run: ({ db }) => sweepConsents(db) },
  { name: 'disconnected accounts', everyMs: HOUR, run: ({ db }) => sweepDisconnected(db) },
  { name: 'server applications', everyMs: HOUR, run: ({ db }) => sweepServerApps(db) },
  { name: 'notifications', everyMs: HOUR, run: ({ db }) => sweepNotifications(db) },
  { name: 'security mails', everyMs: HOUR, run: ({ db }) => sweepSecurityMails(db) },
  { name: 'catalog pages', everyMs: HOUR, run: ({ db }) => sweepCatalogPages(db) },
  { name: 'audit', everyMs: HOUR, run: ({ db }) => sweepAudit(db) },
  {
    name: 'budgets',
    everyMs: HOUR,
    async run({ db }) {
      await sweepBudgets(db, 8 * DAY);
      return 0;
    },
  },
];

/** Timeout of each statement of a sweep in ms. It may find a backlog of months. */
const STATEMENT_WITHIN_MS = 10 * MINUTE;
/** Total time of a sweep in ms. */
const WITHIN_MS = HOUR;

/** Runs one sweep. Errors are reported, and the next turn retries. */
export async function runSweep(deps: MaintenanceDeps, sweep: Sweep): Promise<void> {
  const count = await sweep.run({ ...deps, db: deps.db.within(STATEMENT_WITHIN_MS) });
  if (count > 0) deps.onSwept?.(sweep.name, count);
}

/** Creates the loop that runs one sweep at a time. It is not started yet. @param clock monotonic, in ms */
export function createSweepLoop(deps: MaintenanceDeps, clock: () => number = () => performance.now()): DueLoop {
  // The first turn is delayed, to keep startup free.
  const due = new Map(SWEEPS.map((sweep, index) => [sweep, clock() + MINUTE + index * 1_000]));
  return createDueLoop<Sweep>({
    async claim(limit) {
      const now = clock();
      const chosen = SWEEPS.filter((sweep) => (due.get(sweep) ?? 0) <= now).slice(0, limit);
      for (const sweep of chosen) due.set(sweep, now + sweep.everyMs);
      return chosen;
    },
    run: (sweep) => runSweep(deps, sweep),
    concurrency: 1,
    withinMs: WITHIN_MS,
    onError: deps.onError,
    everyMs: 15_000,
  });
}
