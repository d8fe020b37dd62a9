/**
 * Ends pauses early when a server works again. Targets that failed because a server did not respond, or had an error, wait
 * longer and longer. Once the server publishes something, one of them is tried first, for each cause: the probe. When the
 * server has accepted it, the others follow, one after the other.
 */
import type { Database, Transaction } from '../../db/database.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { say } from '../../messages/timeline.ts';
import { lockLanes, lowerLanes } from '../../queue/lane-locks.ts';
import type { Transition } from '../target.ts';
import type { Task } from '../task.ts';
import { appendTimeline } from '../timeline-store.ts';
import { entry } from '../transitions.ts';
import {
  claimProbe,
  endProbe,
  moveForward,
  type Outage,
  readOutages,
  readProbe,
  readWaiting,
  type Server,
  type WaitingTarget,
} from './outage-store.ts';

export interface Outages {
  /** Notes a server that has accepted a post. */
  moved(task: Task, transition: Transition): void;
  /**
   * Starts probes on servers that accepted posts since the last call, and moves targets whose probe was accepted.
   * @returns number of targets whose next try was moved forward
   */
  check(): Promise<number>;
}

export interface OutagesOptions {
  db: Database;
  random: () => number;
  /** @returns the platform's name */
  nameOf: (platform: string) => string;
  /** Called when targets may be due now. */
  wake: () => void;
}

/** A probe that takes longer than `withinMs` no longer delays the next one. */
const PROBES = { apartMs: 30 * SECOND, withinMs: 10 * MINUTE };
/** Servers that are remembered between two checks, and targets that follow a probe. */
const MAX_SERVERS = 1_000;
const MAX_FOLLOWING = 10_000;
const TARGETS_PER_TRANSACTION = 200;
/** Time between two targets that follow a probe, in ms, ±20 %. */
const APART_MS = 50;

export function createOutages({ db, random, nameOf, wake }: OutagesOptions): Outages {
  let publishing = new Map<string, Server>();

  /** Moves targets forward. @param prepare returns whether they are moved, in the same transaction */
  async function move(
    outage: Outage,
    targets: readonly WaitingTarget[],
    afterMs: readonly number[],
    prepare: (tx: Transaction) => Promise<boolean> = async () => true,
  ): Promise<number> {
    const line = entry('retry', say('server_answers', { platform: nameOf(outage.platform) }));
    return db.transaction(async (tx) => {
      await lockLanes(
        tx,
        targets.map(({ identityId }) => identityId),
      );
      if (!(await prepare(tx))) return 0;
      const moved = await moveForward(tx, targets, outage.cause, afterMs);
      if (moved.length === 0) return 0;
      await appendTimeline(
        tx,
        moved.map(({ id }) => id),
        [line],
      );
      await lowerLanes(
        tx,
        moved.map(({ identityId }) => identityId),
        null,
      );
      return moved.length;
    });
  }

  async function startProbe(outage: Outage): Promise<number> {
    const [first] = await readWaiting(db, outage, 1);
    return first ? move(outage, [first], [0], (tx) => claimProbe(tx, outage, first.id, PROBES)) : 0;
  }

  async function moveAll(outage: Outage): Promise<number> {
    if (!(await endProbe(db, outage))) return 0;
    const targets = await readWaiting(db, outage, MAX_FOLLOWING);
    let count = 0;
    for (let from = 0; from < targets.length; from += TARGETS_PER_TRANSACTION) {
      const some = targets.slice(from, from + TARGETS_PER_TRANSACTION);
      const afterMs = some.map((_, at) => (from + at) * APART_MS * (0.8 + random() * 0.4));
      count += await move(outage, some, afterMs);
    }
    return count;
  }

  return {
    moved({ account: { platform, service, sandbox } }, { target }) {
      const isAccepted = target.state === 'posted' || (target.state === 'confirming' && target.trouble === null);
      if (!isAccepted || publishing.size >= MAX_SERVERS) return;
      publishing.set(JSON.stringify([platform, service, sandbox]), { platform, service, sandbox });
    },
    async check() {
      if (publishing.size === 0) return 0;
      const servers = [...publishing.values()];
      publishing = new Map();
      let count = 0;
      for (const outage of await readOutages(db, servers)) {
        const state = await readProbe(db, outage, PROBES);
        if (state === 'none') count += await startProbe(outage);
        else if (state === 'published') count += await moveAll(outage);
      }
      if (count > 0) wake();
      return count;
    },
  };
}
