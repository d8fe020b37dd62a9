/** Constructors for the results of steps, confirmations and verifications. */
import type { Message } from '../../messages/message.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import type { ConfirmResult, JsonObject, StepResult, VerifyResult } from '../contract.ts';
import { type Delays, delayAfter } from './delays.ts';

type Step<T extends StepResult['then']> = Extract<StepResult, { then: T }>;
type Verified<T extends VerifyResult['then']> = Extract<VerifyResult, { then: T }>;

/** The next step follows after `afterMs`; by default at once. */
export function proceed(checkpoint: JsonObject, note: Message, afterMs?: number): Step<'continue'> {
  return { then: 'continue', checkpoint, ...(afterMs === undefined ? {} : { afterMs }), note };
}

/** Everything is prepared; the engine may send the irreversible request. */
export function readyToCommit(checkpoint: JsonObject, note: Message): Step<'commit'> {
  return { then: 'commit', checkpoint, note };
}

/** An earlier send may have succeeded; the engine verifies it before anything else. */
export function verifyFirst(checkpoint: JsonObject, note: Message): Step<'look'> {
  return { then: 'look', checkpoint, note };
}

export function failed(failure: Failure): Step<'failed'> {
  return { then: 'failed', failure };
}

/** The platform reported the post as published, and it is gone. */
export function removed(failure: Failure): Extract<ConfirmResult, { then: 'failed' }> {
  return { then: 'failed', failure, wasPublished: true };
}

/** Polls again, with delays that grow with the number of polls. */
export function pollAgain(
  checkpoint: JsonObject & { polls: number },
  delays: Delays,
  note: Message,
): Extract<ConfirmResult, { then: 'confirming' }> {
  const { polls } = checkpoint;
  return {
    then: 'confirming',
    checkpoint: { ...checkpoint, polls: polls + 1 },
    afterMs: delayAfter(delays, polls),
    note,
  };
}

/** The post does not exist. @param checkpoint where to continue; null: from the start */
export function notPosted(checkpoint: JsonObject | null, note: Message): Verified<'notPosted'> {
  return { then: 'notPosted', checkpoint, note };
}

/** The verification failed, or could not have found the post. */
export function stillUnknown(note: Message, afterMs?: number): Verified<'stillUnknown'> {
  return { then: 'stillUnknown', note, ...(afterMs === undefined ? {} : { afterMs }) };
}
