/** Creates the publisher of the running service. */
import { uptime } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import { uuidv7 } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import { SECOND } from '../lib/time.ts';
import { linkAddress } from '../media/links/token.ts';
import type { ManagedHttp } from '../outbound/http-client.ts';
import type { PartStatus } from '../queue/status.ts';
import type { Storage } from '../storage/contract.ts';
import { createPublisherEvents } from './events.ts';
import { createEvidenceKeeper, evidenceFolder } from './evidence.ts';
import type { SessionSource } from './sessions.ts';
import { CLAIM_FRESH_MS } from './worker/claimer.ts';
import { createPublisher, type Publisher } from './worker/publisher.ts';
import { thisWorker } from './worker/worker-identity.ts';

/** Lanes in progress per process. Each mostly waits for a platform. */
const SLOTS = 64;
const EVIDENCE_FILE_AFTER_MS = 5_000;
/** Shorter than the 30 s that a shutdown may take. */
const DRAIN_WITHIN_MS = 25_000;

export interface WiredPublisher {
  publisher: Publisher;
  /** Not ok when no claim has succeeded for longer than a worker counts as alive. */
  status(): PartStatus;
  drain(): Promise<void>;
  stop(): void;
}

export function wirePublisher(needs: {
  config: Config;
  db: Database;
  sealer: Sealer;
  storage: Storage;
  log: Log;
  metrics: Metrics;
  sessions: SessionSource;
  http: (sandbox: boolean) => ManagedHttp;
  /** Names of all platforms. */
  platforms: readonly string[];
  /** Key that signs links to videos. */
  linkKey: Buffer;
  /** Called after each posted target: its consequences are due. */
  onPosted(): void;
}): WiredPublisher {
  const { config, log, metrics } = needs;
  const over = new AbortController();
  const evidence = createEvidenceKeeper({
    ...needs,
    folder: evidenceFolder(config.dataDir),
    fileAfterMs: EVIDENCE_FILE_AFTER_MS,
    pause: (ms) => pause(ms, undefined, { signal: over.signal }).catch(() => {}),
    signal: over.signal,
    onError: (err) => log.error({ err }, 'A platform’s response could not be recorded yet'),
    onUnreadable: (file, err) =>
      log.error({ err, file, event: 'evidence_unreadable' }, 'Evidence of a send cannot be read and was set aside'),
  });
  metrics.gauge('evidence_pending', 'Platform responses that the database has not accepted yet.', evidence.pending);
  metrics.gauge(
    'evidence_unreadable',
    'Files of such answers that could not be read at the last start.',
    evidence.unreadable,
  );
  const publisher = createPublisher({
    ...needs,
    evidence,
    link: (targetId, container, until) =>
      linkAddress(config.publicUrl, needs.linkKey, { targetId, expiresAt: Math.floor(until / 1000) }, container),
    worker: thisWorker(uuidv7()),
    events: createPublisherEvents(log, metrics, needs.platforms, needs.onPosted),
    slots: SLOTS,
    random: Math.random,
    monotonic: () => performance.now(),
    sinceBoot: () => uptime() * SECOND,
    wall: Date.now,
  });
  metrics.gauge(
    'lane_standstill_seconds',
    'Longest time that a lane has been held without progress.',
    () => publisher.status().standstillSeconds,
  );
  return {
    publisher,
    status() {
      const { lastClaimAgeMs } = publisher.status();
      if (lastClaimAgeMs === null) return { ok: true, detail: 'starting' };
      if (lastClaimAgeMs <= CLAIM_FRESH_MS) return { ok: true, detail: 'ok' };
      return { ok: false, detail: `no successful claim for ${Math.round(lastClaimAgeMs / 1000)} s` };
    },
    drain: () => publisher.drain(DRAIN_WITHIN_MS),
    stop() {
      publisher.abort();
      over.abort();
    },
  };
}
