/** Plans disturbances of the running service from the seed, and executes them. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ChaosDatabase } from './database.ts';
import type { ChaosOptions } from './options.ts';
import type { Member } from './processes.ts';
import type { Random } from './random.ts';

export type Disturbance =
  | { kind: 'kill'; member: number }
  | { kind: 'freeze'; worker: number; ms: number }
  | { kind: 'drop' }
  | { kind: 'hang'; ms: number }
  | { kind: 'refuse'; ms: number }
  | { kind: 'databaseKill'; downMs: number };

/** Longer than a lease. */
const MIN_FREEZE_MS = 11_000;
const DATABASE_KILL_EVERY = 20;

/** @param members processes of the service; the first is the API, the others are workers */
export function planDisturbances(options: ChaosOptions, random: Random): Disturbance[] {
  const { kills, freezes, cuts, workers } = options;
  const plan: Disturbance[] = [
    ...Array.from({ length: kills }, (): Disturbance => ({ kind: 'kill', member: random.below(workers + 1) })),
    ...Array.from(
      { length: freezes },
      (): Disturbance => ({ kind: 'freeze', worker: random.below(workers), ms: MIN_FREEZE_MS + random.below(4_000) }),
    ),
    ...Array.from({ length: cuts }, (_, index): Disturbance => {
      if (index % DATABASE_KILL_EVERY === DATABASE_KILL_EVERY - 1)
        return { kind: 'databaseKill', downMs: random.below(3_000) };
      if (index % 3 === 0) return { kind: 'hang', ms: 2_000 + random.below(10_000) };
      return index % 3 === 1 ? { kind: 'drop' } : { kind: 'refuse', ms: 500 + random.below(4_000) };
    }),
  ];
  return random.sample(plan, plan.length);
}

export interface Stage {
  api: Member;
  workers: readonly Member[];
  database: ChaosDatabase;
}

/**
 * Executes the plan. Freezes of several workers may overlap, but one worker always stays active.
 * @param onDone called after each disturbance
 */
export async function disturb(plan: readonly Disturbance[], stage: Stage, random: Random, onDone: () => void) {
  const { api, workers, database } = stage;
  const frozen = new Map<number, Promise<void>>();
  const hangs: Promise<void>[] = [];
  const room = Math.max(1, workers.length - 1);
  for (const each of plan) {
    if (each.kind === 'kill') await (each.member === 0 ? api : workers[each.member - 1])?.kill();
    else if (each.kind === 'drop') database.proxy.cut();
    else if (each.kind === 'hang') hangs.push(hang(database, each.ms));
    else if (each.kind === 'refuse') {
      database.proxy.refuse(true);
      await pause(each.ms);
      database.proxy.refuse(false);
    } else if (each.kind === 'databaseKill') await killDatabase(database, each.downMs);
    else {
      while (frozen.size >= room || frozen.has(each.worker)) await Promise.race(frozen.values());
      const freezing = (workers[each.worker]?.freeze(each.ms) ?? Promise.resolve()).then(() => {
        frozen.delete(each.worker);
      });
      frozen.set(each.worker, freezing);
    }
    database.proxy.clear();
    onDone();
    await pause(100 + random.below(700));
  }
  await Promise.all([...frozen.values(), ...hangs]);
}

/** Makes all open connections half-open. After a while the database notices that its clients are gone. */
async function hang({ proxy }: ChaosDatabase, ms: number): Promise<void> {
  proxy.hang();
  await pause(ms);
  proxy.release();
}

async function killDatabase({ cluster, proxy }: ChaosDatabase, downMs: number): Promise<void> {
  process.kill(cluster.pid, 'SIGKILL');
  await cluster.ended;
  proxy.cut();
  await pause(downMs);
  await cluster.restart();
}
