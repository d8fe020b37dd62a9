/** Creates the loops that find posts made elsewhere and fetch their files. */

import { outsideProblem } from '../accounts/apps/public-reachability.ts';
import { pictureGuard } from '../accounts/profile/avatar.ts';
import type { Accounts } from '../accounts/service.ts';
import type { Config } from '../config/config.ts';
import { settingsReader } from '../config/settings.ts';
import type { Connector } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Media } from '../media/media.ts';
import type { AddressGuard } from '../outbound/address-guard.ts';
import type { Detour, ManagedHttp } from '../outbound/http-client.ts';
import type { DueLoop } from '../queue/loop.ts';
import type { Storage } from '../storage/contract.ts';
import type { Download } from '../uploads/remote/downloader.ts';
import type { FetchFile } from '../uploads/remote/fetcher.ts';
import { createMatchLoop } from './match-posts.ts';
import type { Hints } from './push/early-checks.ts';
import { createStreamLoop } from './push/streams.ts';
import { createSubscriptionLoop } from './push/subscriptions.ts';
import { createSourceFileLoop } from './source-files.ts';
import { createWatchLoop } from './watch-loop.ts';

/** Loops that find posts made elsewhere. */
export type WatchingLoop = 'watches' | 'streams' | 'subscriptions' | 'found posts' | 'source files';

export interface WatchingDeps {
  config: Config;
  db: Database;
  log: Log;
  connectors: Readonly<Record<string, Connector>>;
  storage: Storage;
  media: Media;
  sealer: Sealer;
  metrics: Metrics;
  /** Moves checks of announced accounts to now. */
  hints: Hints;
  /** Derives the secrets of notifications. */
  hookKey: Buffer;
  accounts: Pick<Accounts, 'sessions' | 'endpoints'>;
  /** How files are fetched, and the headers by which our own simulators recognize us. */
  outbound(sandbox: boolean): {
    guard: AddressGuard;
    http: ManagedHttp;
    detour?: Detour | undefined;
    headers: Readonly<Record<string, string>>;
  };
  fetchFile: FetchFile;
  download: Download | null;
  /** Wakes another loop of this process. */
  wake(loop: WatchingLoop | 'rules'): void;
}

export function wireWatching(deps: WatchingDeps): Record<WatchingLoop, DueLoop> {
  const { config, db, log, connectors, sealer, wake, outbound } = deps;
  const { sessions } = deps.accounts;
  const onError = (loop: string) => (err: unknown) => log.warn({ err, loop }, 'Failed; retrying');
  const ownSimulators = `${config.publicUrl}/sandbox/`;
  const settings = settingsReader(config.settings);
  const streams = createStreamLoop({
    db,
    connectors,
    sessions,
    endpoints: deps.accounts.endpoints,
    settings,
    http: (sandbox) => outbound(sandbox).http.request,
    outbound,
    hints: deps.hints,
    metrics: deps.metrics,
    userAgent: `Reelay (${config.publicUrl})`,
    onEnded: ({ id, platform }, { reason, status }) =>
      log.info({ event: 'stream_ended', id, platform, reason, status }, 'A stream of announcements ended'),
    onRefused: ({ id, platform }, { text }) =>
      log.warn({ event: 'stream_refused', id, platform, reason: text }, 'The platform refuses to announce posts'),
    onError: onError('streams'),
    random: Math.random,
    monotonic: () => performance.now(),
  });
  return {
    watches: createWatchLoop({
      db,
      connectors,
      sessions,
      onFound(count) {
        log.info({ event: 'posts_found', count }, 'Posts found');
        wake('found posts');
      },
      onFailed: ({ id, platform }, { code, text }) =>
        log.warn({ event: 'watch_failed', id, platform, code, reason: text }, 'New posts could not be read'),
      onFailing: ({ id, platform, since, code }) =>
        log.warn({ event: 'watch_failing', id, platform, since, code }, 'New posts could not be read for an hour'),
      reportBug: onError('watches'),
      random: Math.random,
      monotonic: () => performance.now(),
      onError: onError('watches'),
    }),
    streams,
    subscriptions: createSubscriptionLoop({
      db,
      connectors,
      http: outbound(false).http.request,
      settings: (platform) => settings(platform, false),
      publicUrl: config.publicUrl,
      hookKey: deps.hookKey,
      isReachable: outsideProblem(config.publicUrl) === null,
      onFailed: (platform, reason) =>
        log.warn({ event: 'subscription_failed', platform, reason }, 'Notifications could not be requested'),
      onError: onError('subscriptions'),
      monotonic: () => performance.now(),
    }),
    'found posts': createMatchLoop({ db, sealer, onFirings: () => wake('rules'), onError: onError('found posts') }),
    'source files': createSourceFileLoop({
      ...deps,
      sessions,
      leastFreeBytes: config.leastFreeBytes,
      outbound({ sandbox, service }) {
        const { guard, headers } = outbound(sandbox);
        // A server that a user names chooses the address of its files.
        const own = service === '' ? guard : pictureGuard(guard, { service, sandbox });
        return { guard: own, headersFor: (url) => (sandbox && url.startsWith(ownSimulators) ? headers : {}) };
      },
      onFetched: () => wake('rules'),
      onError: onError('source files'),
    }),
  };
}
