/** The loops of a worker, which claim due rows. */
import type { Accounts } from '../accounts/service.ts';
import { connectors } from '../connectors/registry.ts';
import type { Context } from '../context.ts';
import { createFileLoop } from '../maintenance/files.ts';
import { createSweepLoop } from '../maintenance/sweeps.ts';
import { createRenditionLoop } from '../media/rendition/rendition-loop.ts';
import type { DueLoop } from '../queue/loop.ts';
import { createFiringLoop } from '../reposts/firing.ts';
import type { FindShown } from '../watching/shown-on-destination.ts';
import type { WatchingLoop } from '../watching/wiring.ts';

export type LoopName =
  | 'account grants'
  | 'account facts'
  | 'rules'
  | 'renditions'
  | 'files'
  | 'sweeps'
  | 'notifications'
  | 'notification channels'
  | 'security mails'
  | WatchingLoop;

/** An API process has none. */
export type Loops = Readonly<Partial<Record<LoopName, DueLoop>>>;

/** Loops that refresh tokens and account facts. */
export function accountLoops({ loops }: Accounts): Loops {
  return { 'account grants': loops.grants, 'account facts': loops.facts };
}

/** Loops that fire rules, make renditions and clean up. */
export function workLoops(
  { db, config, log }: Pick<Context, 'db' | 'config' | 'log'>,
  {
    storage,
    media,
    wake,
    fetching,
    findShown,
  }: Pick<Context, 'storage' | 'media' | 'wake'> & {
    fetching(): void;
    findShown: FindShown;
  },
): Loops {
  const onError = (name: string) => (err: unknown) => log.warn({ err, loop: name }, 'Failed; retrying');
  const upkeep = { db, storage, retentionDays: config.mediaRetentionDays };
  return {
    rules: createFiringLoop({
      db,
      config,
      connectors,
      downloads: config.downloader !== null,
      findShown,
      wake,
      onFile: fetching,
      onFired: ({ rule_id: ruleId, target_id: targetId, watched_post_id: watchedPostId }, { kind: came }) =>
        log.info({ event: 'rule_fired', ruleId, targetId, watchedPostId, came }, 'Rule fired'),
      onError: onError('rules'),
    }),
    renditions: createRenditionLoop({
      db,
      storage,
      media,
      leastFreeBytes: config.leastFreeBytes,
      onMade: ({ id, spec }, { bytes, tookMs }) =>
        log.info({ event: 'rendition_made', id, spec, bytes, tookMs: Math.round(tookMs) }, 'Video converted'),
      onFailed: ({ id, spec }, detail) =>
        log.warn({ event: 'rendition_failed', id, spec, detail }, 'Video could not be converted'),
      onError: onError('renditions'),
    }),
    files: createFileLoop({ ...upkeep, onError: onError('files') }),
    sweeps: createSweepLoop({
      ...upkeep,
      onError: onError('sweeps'),
      onSwept: (name, count) => log.info({ event: 'swept', name, count }, 'Swept'),
    }),
  };
}
