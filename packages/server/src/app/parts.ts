/** The background parts of a process: what starts, drains and stops with it. */
import { countLostKeys } from '../accounts/tokens/token-secret.ts';
import type { Context } from '../context.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import { HOUR, MINUTE } from '../lib/time.ts';
import type { WiredPublisher } from '../publishing/wiring.ts';
import type { DueLoop } from '../queue/loop.ts';
import { sweep } from '../queue/rate-counter.ts';
import type { PartStatus } from '../queue/status.ts';
import { sweepUploadFiles } from '../uploads/remove.ts';
import type { Loops } from './loops.ts';

/** A background part of the service, such as a loop or a pool. */
export interface Part {
  name: string;
  /** Whether the part works; used by the readiness check. */
  status?(): PartStatus;
  start?(): Promise<void> | void;
  /** Stops new work. Work in progress ends, or is left so that it can be resumed. Takes at most 25 s. */
  drain?(): Promise<void>;
  /** Releases all resources. Called after `drain`, or alone. */
  stop?(): Promise<void>;
}

export function publishingPart({ publisher, status, drain, stop }: WiredPublisher): Part {
  return { name: 'publishing', start: publisher.start, status, drain, stop: async () => stop() };
}

/** Loops poll at different moments, so that a resting service needs few database connections. */
const APART_MS = 70;

/** The parts of all loops. */
export function loopParts(loops: Loops): Part[] {
  return Object.entries(loops).map(([name, loop], index) => loopPart(name, loop, index * APART_MS));
}

function loopPart(name: string, loop: DueLoop, afterMs: number): Part {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(timer);
    return loop.stop();
  };
  return {
    name,
    status: loop.status,
    start() {
      timer = setTimeout(() => loop.start(), afterMs);
    },
    drain: stop,
    // Work still running after draining is left to its lease.
    stop: async () => void stop(),
  };
}

/** Logs once after startup how many accounts a lost SECRET_KEY affects. */
export function secretKeyCheck({ db, sealer, log }: Context): Part {
  const check = async () => {
    const { accounts, lost } = await countLostKeys(db, sealer);
    if (lost > 0)
      log.error(
        { event: 'secret_key_lost', accounts: lost },
        `SECRET_KEY cannot decrypt the access of ${lost} of ${accounts} connected accounts. Set the previous key as SECRET_KEY_PREVIOUS, or reconnect these accounts.`,
      );
  };
  return {
    name: 'secret key',
    start: () => void check().catch((err) => log.warn({ err }, 'The encrypted values could not be checked')),
  };
}

const SWEEP_EVERY_MS = 10 * MINUTE;
const READ_APPS_EVERY_MS = 15_000;
const SWEEP_UPLOADS_EVERY_MS = HOUR;

/** Deletes rate-limit rows that have expired. */
export function limitSweeper({ db, log }: Context): Part {
  return runPeriodically('limits', SWEEP_EVERY_MS, () =>
    sweep(db).catch((err) => log.warn({ err }, 'old limits could not be swept')),
  );
}

/** Reads applications that another node or a command has stored. */
export function appReader({ apps, log }: Context): Part {
  return runPeriodically('applications', READ_APPS_EVERY_MS, () =>
    apps.refresh().catch((err) => log.warn({ err }, 'applications at platforms could not be read')),
  );
}

/** Clients reconnect to another process, or after the restart. */
export function livePart({ live }: Context): Part {
  return { name: 'live updates', drain: async () => live.drain(), stop: live.close };
}

/** Clients still uploading at shutdown are asked to retry; received data is kept. */
export function uploadPart(context: Context): Part {
  const sweep = () =>
    sweepUploadFiles(context).catch((err) => context.log.warn({ err }, 'files of uploads could not be swept'));
  return {
    ...runPeriodically('uploads', SWEEP_UPLOADS_EVERY_MS, sweep),
    drain: async () => context.uploadWriters.stopAll(new ReelayError('draining')),
  };
}

function runPeriodically(name: string, ms: number, work: () => unknown): Part {
  let timer: NodeJS.Timeout | undefined;
  return {
    name,
    start() {
      timer = setInterval(work, ms).unref();
    },
    async stop() {
      clearInterval(timer);
    },
  };
}
