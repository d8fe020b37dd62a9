/** Publishes 10,000 targets of as many accounts that are due in the same second. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../packages/server/src/db/database.ts';
import { type Finding, milliseconds, quantile, say, seconds } from '../kit/figures.ts';
import { withCleanUp, withFolder } from '../kit/folder.ts';
import { cpu, family } from '../kit/processes.ts';
import { startPublishing } from '../kit/publishing.ts';
import type { TikTokSeen } from '../programs/tiktok.ts';

const USERS = 100;
/** Time from inserting the rows until they are due, in ms. */
const LEAD_MS = 4_000;
const OVER_WITHIN_MS = 120_000;

export async function due({ quick }: { quick: boolean }): Promise<Finding[]> {
  const count = quick ? 1_000 : 10_000;
  return withFolder((folder) =>
    withCleanUp(async (later) => {
      const publishing = await startPublishing(folder, later, { accounts: count });
      const { database, tiktok } = publishing;
      const { db, cluster } = database;
      const worker = await publishing.startWorker();
      const accounts = await publishing.connect(USERS);
      const moment = new Date(Date.now() + LEAD_MS);
      await publishing.post(accounts, moment);
      // As in a running service: with statistics of the current rows, not of empty tables.
      await db.execute('analyze auth."user", identity, lane, access_grant, account, media, post, target');
      say(
        `${count} targets on ${count} accounts of ${USERS} users are due in ${milliseconds(moment.getTime() - Date.now())}`,
      );

      const processes = { worker: [worker.pid], PostgreSQL: family(cluster.pid), simulator: [tiktok.pid] };
      const parts = Object.entries(processes);
      await pause(Math.max(0, moment.getTime() - Date.now() - 100));
      const before = parts.map(([, pids]) => cpu(pids));
      await untilAllPosted(db, count);
      // Includes the processes of connections opened meanwhile.
      const after = parts.map(([name, pids]) => cpu(name === 'PostgreSQL' ? family(cluster.pid) : pids));
      const used = parts.map(([name], index) => `${name} ${seconds((after[index] ?? 0) - (before[index] ?? 0))}`);
      return findings(await tiktok.ask('seen'), await platformSteps(db), { count, moment: moment.getTime(), used });
    }),
  );
}

async function untilAllPosted(db: Database, count: number): Promise<void> {
  for (const limit = performance.now() + OVER_WITHIN_MS; performance.now() < limit; ) {
    const [row] = await db.query<{ open: number; failed: number }>(
      `select count(*) filter (where due_at is not null) as open, count(*) filter (where state = 'failed') as failed
       from target`,
    );
    if (row?.failed) throw new Error(`${row.failed} targets have failed.`);
    if (row?.open === 0) return;
    say(`${count - (row?.open ?? 0)} posted`);
    await pause(2_000);
  }
  throw new Error('Not all targets were posted in time.');
}

/** Reads the results from the service's own rows. */
async function platformSteps(db: Database): Promise<{ lastMs: number; steps: number; waited: number }> {
  const [row] = await db.query<{ last: Date; steps: number; waited: number }>(
    `select max(settled_at) as last, (select count(*) from timeline) as steps,
       (select count(*) from timeline where event in ('retry', 'unknown', 'look', 'crash')) as waited from target`,
  );
  return { lastMs: row?.last.getTime() ?? 0, steps: row?.steps ?? 0, waited: row?.waited ?? 0 };
}

function findings(
  seen: TikTokSeen,
  rows: { lastMs: number; steps: number; waited: number },
  run: { count: number; moment: number; used: string[] },
): Finding[] {
  if (seen.errors.length > 0) throw new Error(`The simulator failed: ${seen.errors[0]}`);
  const late = seen.firstCalls.map((at) => at - run.moment);
  const p99 = quantile(late, 0.99);
  const rate = run.count / ((rows.lastMs - run.moment) / 1000);
  const once = seen.published.length - seen.doubled;
  const amount = run.count.toLocaleString('en');
  return [
    {
      what: `${amount} due at once: first platform call late by p50 / p99 / max`,
      figure: [quantile(late, 0.5), p99, Math.max(...late)].map(seconds).join(' / '),
      goal: 'p99 ≤ 10 s',
      met: p99 <= 10_000,
    },
    {
      what: `${amount} due at once: whole publishes a second`,
      figure: `${rate.toFixed(0)} (${(rows.steps / run.count).toFixed(1)} rows of timeline each)`,
      goal: '≥ 200',
      met: rate >= 200,
    },
    {
      what: `${amount} due at once: published once / not at all / twice / tried again`,
      figure: [once, run.count - once, seen.doubled, rows.waited].join(' / '),
      goal: 'each once',
      met: seen.doubled === 0 && seen.published.length === run.count,
    },
    { what: `${amount} due at once: CPU`, figure: run.used.join(', ') },
  ];
}
