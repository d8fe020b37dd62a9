/**
 * Measures polling rounds over watched accounts: statements, calls and CPU per check, and memory over rounds. Simulated
 * accounts are due again after five seconds, so a worker with thousands of them checks without a pause.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../packages/server/src/db/database.ts';
import { type Finding, median, megabytes, milliseconds, ratio, say, seconds } from '../kit/figures.ts';
import { withCleanUp, withFolder } from '../kit/folder.ts';
import { alone, cpu, family } from '../kit/processes.ts';
import { type Publishing, startPublishing } from '../kit/publishing.ts';
import { startQueryCounter } from '../kit/query-counter.ts';
import type { Account } from '../kit/rows.ts';
import { addRules, type Rule } from '../kit/rules.ts';

const USERS = 50;
const WITHIN_MS = 600_000;

interface Round {
  checks: number;
  ms: number;
  /** ms of the worker, and of PostgreSQL. */
  worker: number;
  database: number;
  calls: number;
  /** Bytes of the worker at the end. */
  memory: number;
}

export async function watching({ quick }: { quick: boolean }): Promise<Finding[]> {
  const [count, rounds] = quick ? [500, 4] : [5_000, 8];
  return withFolder((folder) =>
    withCleanUp(async (later) => {
      const publishing = await startPublishing(folder, later, { accounts: count });
      const { database, tiktok } = publishing;
      const { db } = database;
      const accounts = await publishing.connect(USERS);
      const rules = rulesOf(accounts);
      await addRules(db, rules);
      await db.execute('vacuum analyze');
      const sources = new Set(rules.map(({ from }) => from)).size;

      const worker = await publishing.startWorker();
      await until(db, 'all watches were checked', `select count(*) >= ${sources} as done from watch where version > 0`);
      say(`${sources} accounts are watched for ${rules.length} rules`);
      const began = performance.now();
      await tiktok.ask('post');
      await until(
        db,
        'all posts were decided',
        `select count(*) >= ${rules.length} as done from firing where state <> 'waiting'`,
      );
      const decidedMs = performance.now() - began;
      say(`a post on each account was decided by ${rules.length} rules in ${seconds(decidedMs)}`);
      await round(publishing, worker.pid, sources);
      const measured: Round[] = [];
      for (let at = 0; at < rounds; at++) {
        const each = await round(publishing, worker.pid, sources);
        say(
          `round ${at + 1}: ${each.checks} checks in ${seconds(each.ms)}, ${milliseconds(each.worker / each.checks)} CPU each, ${megabytes(each.memory)}`,
        );
        measured.push(each);
      }
      await worker.stop();
      const queries = await countQueries(publishing, folder, later, sources);
      const { errors } = await tiktok.ask('seen');
      if (errors.length > 0) throw new Error(`The platform failed: ${errors[0]}`);
      const failed = await db.query('select 1 from watch where failing_since is not null');
      if (failed.length > 0) throw new Error(`${failed.length} checks have failed.`);
      return findings(measured, { queries, decidedMs, sources, rules: rules.length });
    }),
  );
}

/** Statements of a check. The worker connects through a proxy, which takes more CPU time than the worker. */
async function countQueries(
  publishing: Publishing,
  folder: string,
  later: (undo: () => Promise<unknown>) => void,
  sources: number,
): Promise<number> {
  const counter = await startQueryCounter(publishing.database.url, folder);
  later(counter.close);
  const worker = await publishing.startWorker(counter.url);
  await round(publishing, worker.pid, sources);
  const before = counter.count();
  const { checks } = await round(publishing, worker.pid, sources);
  const count = counter.count() - before;
  await worker.stop();
  return count / checks;
}

/** Each account leads to the next two of its user. */
function rulesOf(accounts: readonly Account[]): Rule[] {
  return [...Map.groupBy(accounts, ({ userId }) => userId).values()].flatMap((own) =>
    own.flatMap((from, at) => own.slice(at + 1, at + 3).map((to) => ({ from, to: [to] }))),
  );
}

async function until(db: Database, what: string, sql: string): Promise<void> {
  for (const limit = performance.now() + WITHIN_MS; performance.now() < limit; ) {
    const [row] = await db.query<{ done: boolean }>(sql);
    if (row?.done) return;
    await pause(200);
  }
  throw new Error(`Not ${what} in time.`);
}

/** Waits for as many checks as there are accounts. */
async function round({ database, tiktok }: Publishing, pid: number, accounts: number): Promise<Round> {
  const { db, cluster } = database;
  const look = async () => {
    const [row] = await db.query<{ checks: number }>('select sum(version)::integer as checks from watch');
    return {
      at: performance.now(),
      checks: row?.checks ?? 0,
      worker: cpu([pid]),
      database: cpu(family(cluster.pid)),
      calls: (await tiktok.ask('seen')).calls,
    };
  };
  const first = await look();
  let last = first;
  for (const limit = performance.now() + WITHIN_MS; last.checks - first.checks < accounts; last = await look()) {
    if (performance.now() > limit) throw new Error('A round took too long.');
    await pause(500);
  }
  return {
    checks: last.checks - first.checks,
    ms: last.at - first.at,
    worker: last.worker - first.worker,
    database: last.database - first.database,
    calls: last.calls - first.calls,
    memory: alone([pid]),
  };
}

function findings(
  rounds: readonly Round[],
  { queries, decidedMs, sources, rules }: { queries: number; decidedMs: number; sources: number; rules: number },
): Finding[] {
  const of = (figure: (round: Round) => number) => median(rounds.map(figure));
  const perCheck = of(({ worker, database, checks }) => (worker + database) / checks);
  const memory = rounds.map((each) => each.memory);
  const half = memory.length / 2;
  const growth = median(memory.slice(half)) / median(memory.slice(0, half));
  const named = `${rules.toLocaleString('en')} rules over ${sources.toLocaleString('en')} accounts`;
  return [
    {
      what: `${named}: statements / platform calls per check`,
      figure: `${queries.toFixed(1)} / ${of(({ calls, checks }) => calls / checks).toFixed(2)}`,
    },
    {
      what: `${named}: a polling round without a pause`,
      figure: `${seconds(of(({ ms, checks }) => (ms / checks) * sources))} (${of(({ ms, checks }) => checks / (ms / 1_000)).toFixed(0)} checks/s)`,
    },
    {
      what: `${named}: CPU per check, worker and PostgreSQL`,
      figure: `${of(({ worker, checks }) => worker / checks).toFixed(2)} ms and ${of(({ database, checks }) => database / checks).toFixed(2)} ms`,
    },
    {
      what: `${named}: of a core, if each is checked every minute`,
      figure: ratio((perCheck * sources) / 60_000),
    },
    {
      what: `${named}: a new post on each, until the last rule has decided`,
      figure: seconds(decidedMs),
    },
    {
      what: `${named}: memory of the worker, later rounds against earlier ones`,
      figure: `${ratio(growth)} (${memory.map((bytes) => (bytes / 1e6).toFixed(0)).join(', ')} MB)`,
      goal: '≤ 1.10',
      met: growth <= 1.1,
    },
  ];
}
