/** What workers do in histories on the database: the real publisher and loops, which can lose their database. */
import { randomBytes } from 'node:crypto';
import type { SimulatorModule } from '@reelay/sandbox/contract.ts';
import { loadPlans, type Plans } from '../../src/config/plans.ts';
import type { Connector } from '../../src/connectors/contract.ts';
import type { Database } from '../../src/db/database.ts';
import { ReelayError } from '../../src/errors/reelay-error.ts';
import { createSealer } from '../../src/lib/encryption/seal.ts';
import type { Media } from '../../src/media/media.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import type { DueLoop } from '../../src/queue/loop.ts';
import { createFiringLoop } from '../../src/reposts/firing.ts';
import type { Storage } from '../../src/storage/contract.ts';
import { createHashing } from '../../src/storage/incoming/hasher.ts';
import { createFileFetcher } from '../../src/uploads/remote/fetcher.ts';
import { createMatchLoop } from '../../src/watching/match-posts.ts';
import { createFindShown } from '../../src/watching/shown-on-destination.ts';
import { createSourceFileLoop } from '../../src/watching/source-files.ts';
import { createWatchLoop } from '../../src/watching/watch-loop.ts';
import type { TestWorker } from '../harness/test-worker.ts';
import { gated, type World } from '../harness/world.ts';
import type { Job, Send } from './history.ts';

export interface ModelPlatform {
  connector: Connector;
  module: SimulatorModule;
  /** Whether a request makes a post public. */
  isSend(request: { method: string; path: string }): boolean;
}

/** What histories share. */
export interface Parts {
  world: World;
  platform: ModelPlatform;
  media: Media;
  storage: Storage;
  /** Bytes of a short video. */
  video: Buffer;
}

/** What loops need beside a database. */
export interface LoopParts {
  connectors: Readonly<Record<string, Connector>>;
  /** Origins of the simulated platforms. */
  origins: readonly string[];
  media: Media;
  storage: Storage;
  plans: Plans;
}

export const connectorsOf = ({ platform: { connector } }: Pick<Parts, 'platform'>) => ({ [connector.id]: connector });

export interface DatabaseJobs {
  /**
   * Does what is due of one kind.
   * @param gone returns whether the database is out of reach, before each statement; absent: never
   * @returns number of claims
   */
  run(job: Job, gone?: () => boolean): Promise<number>;
  /** Makes the next send end in this way. */
  breakSend(send: Send): void;
  close(): Promise<void>;
}

/** @param count counts unexpected events */
export function createDatabaseJobs(parts: Parts, count: (name: string) => void): DatabaseJobs {
  const { world, platform } = parts;
  let steady: Promise<TestWorker> | null = null;
  return {
    async run(job, gone) {
      let isGone = false;
      let crashing: TestWorker | null = null;
      const databaseGone = () => {
        if (isGone || !gone?.()) return isGone;
        isGone = true;
        // A crash ends everything at once. A worker that only lost its database would keep trying to store its evidence.
        crashing?.abort();
        return true;
      };
      steady ??= world.worker();
      const worker = gone ? await world.worker({ databaseGone }) : await steady;
      if (gone) crashing = worker;
      try {
        if (job === 'publish') return await worker.runUntilIdle();
        const db = gone ? gated(world.db, databaseGone) : world.db;
        const onBug = () => count('loop errors');
        const plans = loadPlans(undefined);
        const loopParts = {
          ...parts,
          plans,
          connectors: connectorsOf(parts),
          origins: [new URL(world.simulator.url).origin],
        };
        return await createLoop(loopParts, job, { db, sessions: worker.accounts.sessions, count, onBug }).runOnce();
      } finally {
        if (gone) worker.abort();
      }
    },
    breakSend(send) {
      const { faults } = world.simulator;
      const when = (request: { method: string; path: string }) => platform.isSend(request);
      const isLost = send === 'lost' || send === 'blind';
      if (send === 'ok') return;
      if (send === 'rejected') {
        const response = { status: 422, body: { error: 'Validation failed: The model refuses it' } };
        faults.add({ when, times: 1, fault: { kind: 'status', answer: response } });
      } else faults.add({ when, times: 1, fault: { kind: isLost ? 'reset-after' : 'reset-before' } });
    },
    async close() {
      (await steady)?.abort();
    },
  };
}

interface LoopDeps {
  db: Database;
  sessions: TestWorker['accounts']['sessions'];
  count(name: string): void;
  /** Called with errors other than the loss of the database. */
  onBug(error: unknown): void;
}

export function createLoop(
  { connectors, origins, storage, media, plans }: LoopParts,
  job: Exclude<Job, 'publish'>,
  { db, sessions, count, onBug }: LoopDeps,
): DueLoop {
  const onError = (error: unknown) => {
    if (!(error instanceof ReelayError && error.code === 'database_unavailable')) onBug(error);
  };
  switch (job) {
    case 'watch':
      return createWatchLoop({
        ...{ db, connectors, sessions, onFound: () => {}, reportBug: onError, onError },
        ...{
          onFailed: (_, { code }) => count(`check ${code}`),
          onFailing: () => {},
          random: Math.random,
          monotonic: () => performance.now(),
        },
      });
    case 'match':
      return createMatchLoop({ db, sealer: createSealer([randomBytes(32)]), onFirings: () => {}, onError });
    case 'file':
      return createSourceFileLoop({
        ...{ db, storage, media, sessions, leastFreeBytes: 0, download: null, onFetched: () => {}, onError },
        fetchFile: createFileFetcher({
          config: { publicUrl: 'http://localhost:3000' },
          storage,
          uploads: { hasher: createHashing(), used: () => {} },
        }),
        outbound: () => ({ guard: createAddressGuard([], [...origins]), headersFor: () => ({}) }),
      });
    case 'fire':
      return createFiringLoop({
        db,
        config: { plans },
        connectors,
        wake: () => {},
        onFile: () => {},
        downloads: false,
        findShown: createFindShown({ db, sessions, onError }),
        onError,
      });
  }
}
