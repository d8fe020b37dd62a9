/** Writes the `committing` row, sends the irreversible request, then records what the response proved. */

import type { Connector, JsonObject, StepResult, Work } from '../../connectors/contract.ts';
import { isAway } from '../../db/database.ts';
import { MINUTE } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import { say } from '../../messages/timeline.ts';
import * as decide from '../decide.ts';
import { type SendOutcome, send } from '../send.ts';
import type { OpenAccount } from '../sessions.ts';
import type { Target, Transition } from '../target.ts';
import type { Task } from '../task.ts';
import { fail } from '../transitions.ts';
import { applyFailure } from './failures.ts';
import type { StepContext } from './step-context.ts';

/** Minimum remaining lifetime of the access token for an irreversible call. */
export const MIN_TOKEN_LIFE_MS = 5 * MINUTE;
/** Added to the request's deadline, so that no other worker can start before the request has ended. */
const LEASE_MARGIN_MS = 10_000;

/** @param ready the connector's checkpoint for the send, and the timeline note */
export async function commitAndSend(
  task: Task,
  account: OpenAccount,
  work: Work,
  ready: StepResult & { then: 'commit' },
  context: StepContext,
): Promise<boolean> {
  const { connector } = account;
  const { clock, lane, writer } = context;
  const { checkpoint, note } = ready;
  const request = await connector.commit.request(work, checkpoint);
  if (lane.leftMs() <= 0) {
    // The next holder of the lane sends what is ready.
    await writer.commit(decide.afterContinue(task.target, { ...ready, then: 'continue' }, clock.moment()));
    return false;
  }
  const ending = accessEndsTooSoon(account, request.deadlineMs, clock.now() - task.readAt);
  if (ending) return writer.commit(fail(task.target, 'reconnect_required', ending));
  const target = { ...task.target, isPublic: isPublic(task.target, connector, work, checkpoint) };
  const committing = decide.toCommitting(target, checkpoint, note, request.deadlineMs, clock.moment());
  if (!(await writer.commit(committing, request.deadlineMs + LEASE_MARGIN_MS))) return false;
  // The request must end before the lease does, however long the row took to write.
  const deadlineMs = Math.min(request.deadlineMs, lane.leftMs() - LEASE_MARGIN_MS / 2);
  const outcome = await send(
    context.http(work.session.sandbox),
    connector,
    work,
    checkpoint,
    { ...request, deadlineMs },
    () => lane.leftMs() > 0,
  );
  return writer.commitOutcome(outcome, await afterSend(committing.target, outcome, account, task, context));
}

/** An earlier send without proof may have made the post, so its audience counts too. */
function isPublic({ unproven, isPublic: wasPublic }: Target, connector: Connector, work: Work, checkpoint: JsonObject) {
  const { post, session } = work;
  return connector.isPublic({ post, session, checkpoint }) && !(unproven && wasPublic === false);
}

/**
 * Renewable access has at least {@link MIN_TOKEN_LIFE_MS} left when it is opened. Access that cannot be renewed is used
 * until it expires, because waiting would only lose the post. A request that it might not outlive is not started.
 */
function accessEndsTooSoon({ accessLeftMs }: OpenAccount, deadlineMs: number, elapsedMs: number): Message | null {
  if (accessLeftMs === null || accessLeftMs >= MIN_TOKEN_LIFE_MS) return null;
  const left = accessLeftMs - elapsedMs;
  if (left > deadlineMs) return null;
  return say('access_ending', { leftMs: Math.max(0, left) });
}

async function afterSend(
  target: Target,
  outcome: SendOutcome,
  { connector, session }: OpenAccount,
  task: Task,
  context: StepContext,
): Promise<Transition> {
  const { completeWithoutIdMs } = connector;
  const moment = context.clock.moment();
  if (!('failure' in outcome)) return decide.afterSend(target, outcome, completeWithoutIdMs, moment);
  const known = { connector, sandbox: session.sandbox };
  // An error while handling effects on other targets must not discard what the response proves for this target.
  const failure = await applyFailure(outcome.failure, task, known, context).catch((error) => {
    if (!isAway(error)) context.reportBug(error);
    return outcome.failure;
  });
  return decide.afterSend(target, { ...outcome, failure }, completeWithoutIdMs, moment);
}
