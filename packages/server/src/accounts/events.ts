/** Log events of accounts, one function per event. No event contains a secret. */
import type { Log } from '../lib/log.ts';
import type { Message } from '../messages/message.ts';
import type { HttpClientOptions } from '../outbound/http-client.ts';
import type { Failure } from '../outbound/platform-error.ts';

interface Of {
  id: string;
  user_id: string | null;
  platform: string;
  sandbox: boolean;
}

export interface AccountEvents {
  connected(account: { id: string; userId: string; platform: string; sandbox: boolean; again: boolean }): void;
  /** @param where the step that failed (an `AttemptStep`) */
  connectFailed(
    attempt: { userId: string | null; platform: string; where: string; attempt: string | null },
    why: Reason,
  ): void;
  disconnected(account: { id: string; userId: string; platform: string }): void;
  refreshed(grant: Of): void;
  refreshFailed(grant: Of, failure: Failure, waitMs: number, cause?: unknown): void;
  /** @param accountIds the accounts that were connected until now */
  expired(grant: Of, accountIds: readonly string[]): void;
  implausibleLifetime(grant: Of, problem: string): void;
  /** The platform issued new tokens, but the database cannot store them yet. */
  pairNotWritten(error: unknown): void;
  pairUnreadable(file: string, error: unknown): void;
  revoked(grant: Of): void;
  /** The access was deleted here only, because revoking it would end the access of other accounts too. */
  consentShared(grant: Of): void;
  revokeFailed(grant: Of, failure: Failure, last: boolean): void;
  factsFailed(account: { id: string; platform: string }, failure: Failure): void;
  avatarFailed(platform: string, reason: string): void;
  loopFailed(loop: string, error: unknown): void;
}

/** Why something failed: the message for the user, and details for the log only. */
export interface Reason {
  reason: Message;
  platformCode?: string;
  requestId?: string;
  status?: number;
  cause?: unknown;
}

export function createAccountEvents(log: Log): AccountEvents {
  const of = (grant: Of) => ({
    grantId: grant.id,
    userId: grant.user_id,
    platform: grant.platform,
    sandbox: grant.sandbox,
  });
  const why = (failure: Failure) => ({
    kind: failure.kind,
    reason: failure.detail.text,
    platformCode: failure.platformCode,
    platformRequestId: failure.requestId,
    status: failure.status,
  });
  return {
    connected: (account) => log.info({ event: 'account_connected', ...account }, 'Account connected'),
    connectFailed: (attempt, { cause, requestId, reason, ...rest }) =>
      log.warn(
        {
          event: 'connect_failed',
          ...attempt,
          reason: reason.text,
          ...rest,
          platformRequestId: requestId,
          ...shapeOf(cause),
        },
        'Account could not be connected',
      ),
    disconnected: (account) => log.info({ event: 'account_disconnected', ...account }, 'Account disconnected'),
    refreshed: (grant) => log.debug({ event: 'grant_refreshed', ...of(grant) }, 'Access token refreshed'),
    refreshFailed: (grant, failure, waitMs, cause) =>
      log.warn(
        { event: 'grant_refresh_failed', ...of(grant), ...why(failure), waitMs: Math.ceil(waitMs), ...shapeOf(cause) },
        'Access token could not be refreshed',
      ),
    expired: (grant, accountIds) =>
      log.warn({ event: 'grant_expired', ...of(grant), accountIds }, 'The platform ended the access'),
    implausibleLifetime: (grant, problem) =>
      log.warn({ event: 'grant_odd_life', ...of(grant), reason: problem }, problem),
    pairNotWritten: (err) =>
      log.error({ event: 'grant_not_written', err }, 'Refreshed tokens could not be stored yet and are kept in a file'),
    pairUnreadable: (file, err) =>
      log.error(
        { event: 'grant_file_unreadable', file, err },
        'A file with refreshed tokens cannot be read and was set aside',
      ),
    revoked: (grant) => log.info({ event: 'grant_revoked', ...of(grant) }, 'Access revoked at the platform'),
    consentShared: (grant) =>
      log.info(
        { event: 'grant_forgotten', ...of(grant) },
        'Access deleted here only: other accounts share the consent',
      ),
    revokeFailed: (grant, failure, last) =>
      log.warn({ event: 'grant_revoke_failed', ...of(grant), ...why(failure), last }, 'Access could not be revoked'),
    factsFailed: (account, failure) =>
      log.warn(
        { event: 'account_facts_failed', accountId: account.id, platform: account.platform, ...why(failure) },
        'The account’s limits could not be read',
      ),
    avatarFailed: (platform, reason) =>
      log.info({ event: 'avatar_not_copied', platform, reason }, 'Profile picture not copied'),
    loopFailed: (loop, error) => log.error({ event: 'loop_failed', loop, ...shapeOf(error) }, `Loop ${loop} failed`),
  };
}

/**
 * Describes an unexpected error for the log: its name and stack frames. The message is left out: it may quote the
 * platform's response (a parser error does), which may contain a token.
 */
function shapeOf(error: unknown): { errorType?: string; errorAt?: string[] } {
  if (error === undefined || error === null) return {};
  if (!(error instanceof Error)) return { errorType: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { errorType: error.name, errorAt: frames.slice(0, 6).map((line) => line.trim()) };
}

/** Logs each call to a platform at debug level: URL without query, outcome, duration. */
export function platformCalled(log: Log): NonNullable<HttpClientOptions['observe']> {
  return (call) => log.debug({ event: 'platform_call', ...call, ms: Math.round(call.ms) }, 'Platform called');
}
