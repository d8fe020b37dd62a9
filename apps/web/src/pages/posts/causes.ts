/** Groups the failed accounts of a post by cause. Pure. */
import type { PostResult } from '@reelay/sdk';

type Code = NonNullable<PostResult['message']>;

/** Causes that have their own text. */
export const CAUSES = [
  'outcome_unknown',
  'reconnect_required',
  'permission_missing',
  'setup_needed',
  'video_rejected',
  'caption_rejected',
  'policy_rejected',
  'duplicate_rejected',
  'platform_limit_reached',
  'platform_unavailable',
  'platform_error',
  'plan_limit_reached',
  'late_skipped',
  'stopped',
  'internal_error',
] as const satisfies readonly Code[];

export type Cause = (typeof CAUSES)[number];

export interface FailedGroup {
  cause: Cause;
  results: PostResult[];
}

/** Failed accounts by cause, in the order of {@link CAUSES}. Unknown codes count as an error of the platform. */
export function groupFailures(results: readonly PostResult[]): FailedGroup[] {
  const failed = results.filter(({ status }) => status === 'FAILED');
  const causeOf = ({ message }: PostResult): Cause => CAUSES.find((cause) => cause === message) ?? 'platform_error';
  return CAUSES.flatMap((cause) => {
    const group = failed.filter((result) => causeOf(result) === cause);
    return group.length > 0 ? [{ cause, results: group }] : [];
  });
}

/** Causes of trouble that have their own text. */
export const TROUBLES = [
  'outcome_unknown',
  'platform_limit_reached',
  'platform_unavailable',
  'internal_error',
] as const;

export type TroubleCause = (typeof TROUBLES)[number];

export interface TroubledGroup {
  cause: TroubleCause;
  results: PostResult[];
}

/** The cause of trouble with a code. Unknown codes count as `platform_unavailable`. */
export function troubleCause(code: string): TroubleCause {
  return TROUBLES.find((cause) => cause === code) ?? 'platform_unavailable';
}

/** Accounts that are retried, by cause, in the order of {@link TROUBLES}. */
export function groupTroubles(results: readonly PostResult[]): TroubledGroup[] {
  return TROUBLES.flatMap((cause) => {
    const group = results.filter(
      ({ status, trouble }) => status === 'PENDING' && trouble && troubleCause(trouble.code) === cause,
    );
    return group.length > 0 ? [{ cause, results: group }] : [];
  });
}

/** Whether the cause ends when the user reconnects the account. */
export function isResolvedByReconnecting(cause: Cause): boolean {
  return cause === 'reconnect_required' || cause === 'permission_missing';
}

const AT_ACCOUNTS: ReadonlySet<Cause> = new Set<Cause>(['reconnect_required', 'permission_missing', 'setup_needed']);

/** Whether the user resolves the cause on the accounts page. */
export function isResolvedAtAccounts(cause: Cause): boolean {
  return AT_ACCOUNTS.has(cause);
}

/** The result of a finished post. `unknown`: some account may show it. */
export function outcomeOf({ total, posted, unknown }: { total: number; posted: number; unknown: number }) {
  if (posted === total) return 'all';
  if (posted > 0) return 'some';
  return unknown > 0 ? 'unknown' : 'none';
}
