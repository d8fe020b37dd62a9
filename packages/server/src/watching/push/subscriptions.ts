/** Subscribes to the notifications of platforms, renews the subscriptions, and ends them. */
import type { Connector, Session } from '../../connectors/contract.ts';
import type { Database } from '../../db/database.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Claim } from '../../queue/claim.ts';
import { createDueLoop, type DueLoop } from '../../queue/loop.ts';
import { hookSecret, hookUrl } from './hook-secret.ts';
import {
  deleteSubscription,
  dueSubscriptions,
  noteRequest,
  readSubscription,
  type SubscriptionRow,
  syncSubscriptions,
} from './subscription-store.ts';

export interface SubscriptionDeps {
  db: Database;
  connectors: Readonly<Record<string, Connector>>;
  http: Session['http'];
  settings(platform: string): Session['settings'];
  publicUrl: string;
  hookKey: Buffer;
  /** Whether platforms can reach us. Nothing is requested otherwise. */
  isReachable: boolean;
  onFailed(platform: string, reason: string): void;
  onError(error: unknown): void;
  /** ms of a monotonic clock. */
  monotonic(): number;
  /** Interval of looking for missing subscriptions, in ms. */
  syncMs?: number;
}

const LEASE_MS = MINUTE;
const SYNC_MS = 30 * SECOND;
/** How long the platform may take to verify our URL before it is asked again. */
const FIRST_RETRY_MS = 10 * MINUTE;
const MAX_RETRY_MS = 6 * HOUR;
/** Maximum attempts to end a subscription. Then the platform must notice that the URL is gone. */
const MAX_ENDINGS = 3;

/** Creates the loop. It is not started yet. */
export function createSubscriptionLoop(deps: SubscriptionDeps): DueLoop {
  const { db, connectors, monotonic } = deps;
  const platforms = Object.values(connectors).flatMap(({ id, watch }) => (watch?.callback ? [id] : []));
  return createDueLoop<Claim<SubscriptionRow>>({
    chore: {
      everyMs: deps.syncMs ?? SYNC_MS,
      run: async () => deps.isReachable && (await syncSubscriptions(db, platforms)),
    },
    claim: async (limit) => (deps.isReachable ? dueSubscriptions.claim(db, { limit, leaseMs: LEASE_MS }) : []),
    run: (claim) => request(deps, claim),
    concurrency: 4,
    withinMs: LEASE_MS,
    clock: monotonic,
    onError: deps.onError,
  });
}

async function request(deps: SubscriptionDeps, claim: Claim<SubscriptionRow>): Promise<void> {
  const { db } = deps;
  const found = await readSubscription(db, claim.key);
  const callback = found && deps.connectors[found.platform]?.watch?.callback;
  const mode = found?.isLive ? 'subscribe' : 'unsubscribe';
  if (!found || !callback || (mode === 'unsubscribe' && claim.attempts > MAX_ENDINGS))
    return deleteSubscription(db, claim.key);
  const { platform, remoteId } = found;
  const afterMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (claim.attempts - 1));
  if (!(await noteRequest(db, claim, mode))) return;
  try {
    const isWanted = await callback.request(
      {
        http: deps.http,
        settings: deps.settings(platform),
        remoteId,
        url: hookUrl(deps.publicUrl, platform, claim.key),
        secret: hookSecret(deps.hookKey, claim.key),
      },
      mode,
    );
    // Once the platform has verified our URL, the row waits for its renewal, and this changes nothing.
    await dueSubscriptions.release(db, claim, isWanted ? { afterMs, failed: true } : { afterMs: DAY, failed: false });
  } catch (error) {
    if (!(error instanceof PlatformError)) deps.onError(error);
    else deps.onFailed(platform, error.failure.detail.text);
    await dueSubscriptions.release(db, claim, { afterMs, failed: true });
  }
}
