/** Sessions with platforms, as the publisher uses them. */
import type { Capabilities, Connector, Session } from '../connectors/contract.ts';
import { settleWithin } from '../errors/time-limit.ts';
import { MINUTE } from '../lib/time.ts';
import type { Failure } from '../outbound/platform-error.ts';

/** An account ready for calls. */
export interface OpenAccount {
  connector: Connector;
  session: Session;
  capabilities: Capabilities;
  /** Remaining lifetime of the access at the time it was opened, in ms; null: it does not expire. */
  accessLeftMs: number | null;
}

export interface OpenOptions {
  /** Minimum remaining lifetime of the token, in ms. */
  minLifeMs: number;
  spend: (budget: string) => Promise<void>;
  /** Counts reads that the platform charged for. */
  countReads: (reads: number) => Promise<void>;
  /**
   * The database's clock, in whole ms since the epoch. Checkpoints hold its times, and another process may compare them with
   * its own: clocks of machines differ by minutes.
   */
  now: () => number;
}

/** Source of sessions for the publisher. */
export interface SessionSource {
  /** The platform's connector; available even if no account can be opened. */
  connector(platform: string): Connector;
  /**
   * Opens a connected account with a token valid for at least `minLifeMs`; refreshes it if needed.
   * @throws PlatformError `reconnect` when only the user can fix it, `transient` when a retry may succeed
   */
  open(accountId: string, options: OpenOptions): Promise<OpenAccount>;
  /** Refreshes an access token that the platform rejected before its expiry. @throws PlatformError */
  refresh(accountId: string): Promise<void>;
  /** Records that the platform rejected the account and only the user can fix it. */
  refused(accountId: string, failure: Failure): Promise<void>;
}

/**
 * Opening an account may refresh its tokens, which has its own deadlines. This limit only catches a promise that never
 * settles.
 */
const SESSION_WITHIN_MS = 5 * MINUTE;

export function limitSessions(sessions: SessionSource): SessionSource {
  return {
    connector: sessions.connector,
    open: (accountId, options) => settleWithin(SESSION_WITHIN_MS, sessions.open(accountId, options)),
    refresh: (accountId) => settleWithin(SESSION_WITHIN_MS, sessions.refresh(accountId)),
    refused: (accountId, failure) => settleWithin(SESSION_WITHIN_MS, sessions.refused(accountId, failure)),
  };
}
