/** Measures how long a target is delayed if its worker is killed in the middle of a step. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../packages/server/src/db/database.ts';
import { type Finding, median, say, seconds } from '../kit/figures.ts';
import { withCleanUp, withFolder } from '../kit/folder.ts';
import { type Publishing, startPublishing } from '../kit/publishing.ts';
import type { Account } from '../kit/rows.ts';

/** Delay of each call to the platform in ms: long enough to kill the worker during the call. */
const DELAY_MS = 1_500;
const WITHIN_MS = 60_000;

export async function recovery({ quick }: { quick: boolean }): Promise<Finding[]> {
  const rounds = quick ? 1 : 3;
  return withFolder((folder) =>
    withCleanUp(async (later) => {
      const publishing = await startPublishing(folder, later, { accounts: 2 * rounds, delayMs: DELAY_MS });
      const accounts = await publishing.connect(1);
      const restarted: number[] = [];
      const takenOver: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const [one, other] = accounts.slice(2 * round, 2 * round + 2);
        if (one) restarted.push(await afterRestart(publishing, one));
        if (other) takenOver.push(await byAnother(publishing, other));
      }
      say(`restarted: ${restarted.map(seconds).join(', ')}; taken over: ${takenOver.map(seconds).join(', ')}`);
      return [
        {
          what: 'worker killed while it publishes a target and started again: from the kill to its next row of timeline',
          figure: seconds(median(restarted)),
          goal: '≤ 15 s',
          met: Math.max(...restarted) <= 15_000,
        },
        {
          what: 'the same where another worker takes over',
          figure: seconds(median(takenOver)),
          goal: '≤ 15 s',
          met: Math.max(...takenOver) <= 15_000,
        },
      ];
    }),
  );
}

async function afterRestart(publishing: Publishing, account: Account): Promise<number> {
  const { db } = publishing.database;
  const first = await publishing.startWorker();
  await untilInHand(publishing, account);
  await first.kill();
  const killed = performance.now();
  const before = await rowsOf(db, account);
  const second = await publishing.startWorker();
  const ms = (await untilMore(db, account, before)) - killed;
  await second.stop();
  return ms;
}

async function byAnother(publishing: Publishing, account: Account): Promise<number> {
  const { db } = publishing.database;
  const workers = [await publishing.startWorker(), await publishing.startWorker()];
  await untilInHand(publishing, account);
  const holder = await holderOf(db, account);
  const [held, other] = [workers.find(({ pid }) => pid === holder), workers.find(({ pid }) => pid !== holder)];
  await held?.kill();
  const killed = performance.now();
  const ms = (await untilMore(db, account, await rowsOf(db, account))) - killed;
  await other?.stop();
  return ms;
}

/** Posts on the account, and waits until one of its calls has reached the platform. */
async function untilInHand({ post, tiktok }: Publishing, account: Account): Promise<void> {
  const { calls } = await tiktok.ask('seen');
  await post([account], new Date());
  for (const limit = performance.now() + WITHIN_MS; (await tiktok.ask('seen')).calls === calls; ) {
    if (performance.now() > limit) throw new Error('No worker took the target up.');
    await pause(20);
  }
}

/** Pid of the worker that holds the account's lane. */
async function holderOf(db: Database, account: Account): Promise<number | undefined> {
  const [row] = await db.query<{ pid: number }>(
    'select w.pid from lane l join worker w on w.id = l.worker_id where l.identity_id = $1',
    [account.identityId],
  );
  return row?.pid;
}

async function rowsOf(db: Database, account: Account): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*) as count from timeline l join target t on t.id = l.target_id where t.account_id = $1',
    [account.id],
  );
  return row?.count ?? 0;
}

/** @returns when there were more rows, by this process's clock in ms */
async function untilMore(db: Database, account: Account, rows: number): Promise<number> {
  for (const limit = performance.now() + WITHIN_MS; performance.now() < limit; ) {
    if ((await rowsOf(db, account)) > rows) return performance.now();
    await pause(10);
  }
  throw new Error('The target did not move again.');
}
