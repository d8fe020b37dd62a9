/** Steps before a send: the file, the account's settings, the caption, and the connector's calls up to the send. */
import type { Work } from '../../connectors/contract.ts';
import { comparableText } from '../../connectors/kit/comparable-text.ts';
import { quietUntil } from '../../local-time/quiet-hours.ts';
import { orderRendition } from '../../media/rendition/rendition-store.ts';
import { say } from '../../messages/timeline.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import { chooseFile } from '../choose-file.ts';
import * as decide from '../decide.ts';
import type { OpenAccount } from '../sessions.ts';
import { captionProblemWith, missingChoice, videoProblem } from '../suitability.ts';
import type { Transition } from '../target.ts';
import type { Task } from '../task.ts';
import { lowerFileLimit, textsInDoubt } from '../task-store.ts';
import { fail } from '../transitions.ts';
import { startOverWithin, takeOriginal, waitForFile, waitForQuietHours, waitForSameText } from '../waiting.ts';
import { commitAndSend } from './commit.ts';
import { afterError } from './failures.ts';
import type { StepContext } from './step-context.ts';

/** Runs the connector's next step. If everything is ready, sends. */
export async function prepare(
  unprepared: Task,
  account: OpenAccount,
  work: Work,
  context: StepContext,
): Promise<boolean> {
  const { connector, session } = account;
  const { clock, db, writer } = context;
  const unready = await prepareFile(unprepared, account, context);
  if (unready) return writer.commit(unready);
  const quiet = quietWait(unprepared, clock.now());
  if (quiet && !unprepared.target.checkpoint) return writer.commit(quiet);
  const target = decide.begin(unprepared.target, clock.moment());
  const task = { ...unprepared, target };
  const problem = target.checkpoint ? null : findProblem(task, account);
  if (problem) return writer.commit(problem);
  const result = target.checkpoint ? await connector.step(work, target.checkpoint) : await connector.begin(work);
  if (result.then === 'failed') {
    const { failure } = result;
    const maxBytes = failure.kind === 'rejected' ? failure.maxBytes : undefined;
    // Only a smaller file is progress.
    if (maxBytes !== undefined && maxBytes < work.media.bytes) {
      await lowerFileLimit(db, task.account.id, maxBytes);
      return writer.commit(startOverWithin(target, failure.detail, clock.moment()));
    }
    const known = { connector, sandbox: session.sandbox };
    return writer.commit(await afterError(task, new PlatformError(failure), known, context));
  }
  if (result.then === 'continue') return writer.commit(decide.afterContinue(target, result, clock.moment()));
  if (result.then === 'look') return writer.commit(decide.afterDoubt(target, result, clock.moment()));
  // These posts can be matched only by their text. With two identical texts, verification could not tell which one was
  // posted.
  if (connector.matchBy === 'text' && (await textsInDoubt(db, target)).some((text) => isSameText(text, task.post.text)))
    return writer.commit(waitForSameText(target, clock.moment()));
  // Its upload may have taken until the quiet hours began.
  const late = quietWait(task, clock.now());
  if (late) return writer.commit(late);
  return commitAndSend(task, account, work, result, context);
}

/** The transition that waits for the end of the quiet hours; null outside of them. */
function quietWait({ target, quietHours }: Task, now: number): Transition | null {
  const until = quietUntil(quietHours, now);
  return until === null ? null : waitForQuietHours(target, until);
}

/**
 * Ensures the file that this account's platform accepts.
 * @returns null when it is ready; otherwise the transition that waits or fails
 */
async function prepareFile(
  { target, media, rendition }: Task,
  { capabilities }: OpenAccount,
  { clock, db }: StepContext,
): Promise<Transition | null> {
  const choice = chooseFile(capabilities, media.original, rendition);
  const moment = clock.moment();
  switch (choice.file) {
    case 'ready': {
      // A stream copy that did not come out as predicted was re-encoded. The encoder knew the video but not this
      // platform's limits.
      const problem = rendition && videoProblem(capabilities, media.facts);
      return problem ? fail(target, 'video_rejected', say('file_not_suitable', { reason: problem })) : null;
    }
    case 'cannot':
      return fail(target, 'video_rejected', choice.why);
    case 'original':
      return takeOriginal(target, moment);
    case 'wait':
      return waitForFile(target, rendition?.orderedAt ?? moment.now, moment);
    case 'order': {
      const renditionId = await orderRendition(db, media.id, choice.wanted);
      return waitForFile({ ...target, renditionId, checkpoint: null }, moment.now, moment, choice.why);
    }
  }
}

/** What the platform would reject, checked before its first call. */
function findProblem({ target, post }: Task, { connector, session, capabilities }: OpenAccount): Transition | null {
  const choice = missingChoice(connector.choices, session.choices, post.options);
  if (choice) return fail(target, 'setup_needed', say('setting_missing', { setting: choice.label }));
  const caption = captionProblemWith(connector, capabilities, post) ?? connector.textProblem?.(post.text);
  return caption ? fail(target, 'caption_rejected', caption) : null;
}

/** Whether verification could take the post of one text for that of the other. */
export function isSameText(one: string, other: string): boolean {
  return comparableText(one) === comparableText(other);
}
