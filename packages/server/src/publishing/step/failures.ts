/** Turns the errors of a step into transitions, and applies their effects beyond the target. */
import type { Connector } from '../../connectors/contract.ts';
import { say } from '../../messages/timeline.ts';
import { NetworkError } from '../../outbound/http-client.ts';
import { unanswered } from '../../outbound/no-response.ts';
import { BudgetEmpty, type Failure, PlatformError } from '../../outbound/platform-error.ts';
import { ShareUsed } from '../fair-share.ts';
import { afterFailedCall, afterInternalError, afterRefresh } from '../recovery.ts';
import { noResponse } from '../send.ts';
import type { Transition } from '../target.ts';
import type { Task } from '../task.ts';
import type { StepContext } from './step-context.ts';

/** What is known about the account when an error occurs. */
export interface KnownAccount {
  connector: Connector;
  sandbox: boolean;
}

/** Maps a thrown error to the transition for the target's state. */
export async function afterError(
  task: Task,
  error: unknown,
  known: KnownAccount,
  context: StepContext,
): Promise<Transition> {
  const { target } = task;
  const { completeWithoutIdMs } = known.connector;
  const moment = context.clock.moment();
  const failure = await failureOf(task, error, known, context);
  if (!failure) return afterInternalError(target, completeWithoutIdMs, moment);
  return afterFailedCall(target, failure, completeWithoutIdMs, moment);
}

function limitOf(error: BudgetEmpty) {
  const detail = say(error instanceof ShareUsed ? 'share_used' : 'budget_used');
  return { waitMs: error.waitMs, window: error.window, detail };
}

/** @returns null for an unexpected error, which is reported */
async function failureOf(
  task: Task,
  error: unknown,
  known: KnownAccount,
  context: StepContext,
): Promise<Failure | null> {
  if (error instanceof BudgetEmpty) return { kind: 'rateLimited', scope: 'account', ...limitOf(error) };
  if (error instanceof NetworkError) return { ...noResponse(error), detail: unanswered(error) };
  if (error instanceof PlatformError) return applyFailure(error.failure, task, known, context);
  context.reportBug(error);
  return null;
}

/**
 * Applies a failure's effects beyond this target: refreshes the token, marks the account, closes the budget.
 * @returns the failure to continue with
 */
export async function applyFailure(
  failure: Failure,
  task: Task,
  known: KnownAccount,
  context: StepContext,
): Promise<Failure> {
  const { budgets, sessions } = context;
  if (failure.kind === 'tokenExpired') {
    try {
      await sessions.refresh(task.account.id);
      return afterRefresh(task.target);
    } catch (error) {
      if (error instanceof PlatformError && error.failure.kind !== 'tokenExpired')
        return applyFailure(error.failure, task, known, context);
      return { kind: 'transient', detail: say('access_refresh_failed') };
    }
  }
  if (failure.kind === 'reconnect') await sessions.refused(task.account.id, failure);
  if (failure.kind === 'rateLimited' && !known.sandbox) await budgets.close(known.connector, failure);
  return failure;
}
