/** Steps after a send: verify its outcome, or poll until the platform has processed the post. */
import type { Work } from '../../connectors/contract.ts';
import * as decide from '../decide.ts';
import type { OpenAccount } from '../sessions.ts';
import { earliestPost } from '../target.ts';
import type { Task } from '../task.ts';
import type { StepContext } from './step-context.ts';

const SANDBOX_SETTLE_MS = 5_000;

/** Asks the platform what a send without a response did. */
export async function verifySend(
  task: Task,
  { connector, session }: OpenAccount,
  work: Work,
  { clock, writer }: StepContext,
): Promise<boolean> {
  const { target } = task;
  const result = await connector.verify(work, target.checkpoint, {
    text: task.post.text,
    durationMs: task.media.facts.durationMs,
    committedAt: earliestPost(target),
  });
  const settle = session.sandbox ? settleInSandbox(connector.settle) : connector.settle;
  return writer.commit(decide.afterVerification(target, result, settle, connector.completeWithoutIdMs, clock.moment()));
}

/** The sandbox shows posts at once. */
function settleInSandbox(settle: decide.Settle): decide.Settle {
  return {
    ...settle,
    waitMs: Math.min(SANDBOX_SETTLE_MS, settle.waitMs),
    apartMs: Math.min(SANDBOX_SETTLE_MS / 2, settle.apartMs),
  };
}

/** Asks the platform whether it has processed the post that it accepted. */
export async function pollConfirmation(
  { target }: Task,
  { connector }: OpenAccount,
  work: Work,
  { clock, writer }: StepContext,
): Promise<boolean> {
  const result = await connector.confirm(work, target.checkpoint ?? {});
  return writer.commit(decide.afterConfirm(target, result, connector.completeWithoutIdMs, clock.moment()));
}
