/**
 * The state machine of a target: pure transition functions (target, event) → next target.
 *
 *     scheduled ─▶ working ─▶ committing ─▶ confirming ─▶ posted
 *                   │  ▲          │              └──────▶ failed, or waiting (proven failure, may restart)
 *                   ▼  │          ▼
 *                 waiting ◀── unknown ──▶ posted / confirming / failed
 *
 * A retry by the user reopens a failed target as `unknown`, `scheduled` or `waiting` (posts/change.ts).
 *
 * Invariant: `committing` and `unknown` return to `waiting` only with proof that the call had no effect.
 */
import type { ConfirmResult, Idempotency, JsonObject, StepResult, VerifyResult } from '../connectors/contract.ts';
import { DAY } from '../lib/time.ts';
import type { Message } from '../messages/message.ts';
import { say } from '../messages/timeline.ts';
import type { Failure } from '../outbound/platform-error.ts';
import { permanentCode, platformWords, withPlatformWords, withRequestId } from './failure-words.ts';
import { requestedPause, retryPause, verificationPause } from './retry-pauses.ts';
import { causeOf, isUsualProcessing, whyRetried } from './retry-reasons.ts';
import type { SendOutcome } from './send.ts';
import { isFinal, type Target, type Transition } from './target.ts';
import {
  deadlineAfterWait,
  deadlineOf,
  entry,
  fail,
  inTrouble,
  type Moment,
  post,
  type Reason,
} from './transitions.ts';

export interface Settle {
  waitMs: number;
  apartMs: number;
  idempotency: Idempotency;
}

const CONFIRM_FOR = 7 * DAY;
const VERIFY_FOR = DAY;

/** Marks the target as started, before its first call. */
export function begin(target: Target, moment: Moment): Target {
  return { ...target, begunAt: target.begunAt ?? moment.now };
}

/**
 * A step succeeded and the next one follows. A sequence of steps that makes no progress ends at the deadline, as
 * failures do.
 */
export function afterContinue(target: Target, result: StepResult & { then: 'continue' }, moment: Moment): Transition {
  const after = result.afterMs ?? 0;
  const next: Target = {
    ...target,
    state: after > 0 ? 'waiting' : 'working',
    dueAt: moment.now + after,
    checkpoint: result.checkpoint,
    attempts: 0,
    crashes: 0,
    trouble: null,
  };
  if (moment.now + after > deadlineOf(target))
    return fail(next, 'platform_unavailable', say('gave_up', { reason: result.note }));
  return { target: next, entries: [entry('step', result.note)] };
}

/**
 * A step found signs of an earlier send. If verification reports no post but steps keep finding the same signs, the
 * target fails as `outcome_unknown` at the deadline. What is there may be ours.
 */
export function afterDoubt(target: Target, result: StepResult & { then: 'look' }, moment: Moment): Transition {
  const next: Target = { ...target, checkpoint: result.checkpoint, crashes: 0 };
  if (moment.now <= deadlineOf(target)) return becomeUnknown(next, result.note, moment);
  return fail(next, 'outcome_unknown', say('check_before_retry', { reason: result.note }));
}

/** The irreversible request is sent once this is durable. It must end within `deadlineMs` from now. */
export function toCommitting(
  target: Target,
  checkpoint: JsonObject,
  note: Message,
  deadlineMs: number,
  moment: Moment,
): Transition {
  return {
    target: {
      ...target,
      state: 'committing',
      checkpoint,
      dueAt: moment.now + deadlineMs,
      crashes: 0,
      sends: target.sends + 1,
      // The user's permission to risk a duplicate was about earlier sends. It never covers a resend of this one.
      acceptDuplicate: false,
      committedAt: moment.now,
      commitUntil: moment.now + deadlineMs,
    },
    entries: [entry('committing', note)],
  };
}

/** Applies a confirmation poll: the platform has accepted the post. */
export function afterConfirm(
  target: Target,
  result: ConfirmResult,
  completeWithoutIdMs: number,
  moment: Moment,
): Transition {
  if (result.then === 'posted') return post(target, result.published, result.note, moment);
  if (result.then === 'failed')
    return { ...afterCertainNo(target, result.failure, moment), ...(result.wasPublished && { wasPublished: true }) };
  const confirmingSince = target.confirmingSince ?? moment.now;
  const completeSince = result.complete ? (target.completeSince ?? moment.now) : target.completeSince;
  const next: Target = {
    ...target,
    state: 'confirming',
    checkpoint: result.checkpoint,
    dueAt: moment.now + result.afterMs,
    attempts: 0,
    crashes: 0,
    verifications: 0,
    unknownSince: null,
    notPostedSince: null,
    confirmingSince,
    completeSince,
    trouble: null,
  };
  const patience =
    completeSince === null
      ? confirmingSince + CONFIRM_FOR
      : Math.min(completeSince + completeWithoutIdMs, confirmingSince + CONFIRM_FOR);
  if (moment.now < patience) return { target: next, entries: [entry('confirming', result.note)] };
  if (completeSince !== null)
    return post(next, { remoteId: null, url: null, publishedAt: null }, say('published_without_id'), moment);
  return fail(next, 'outcome_unknown', say('confirmation_timed_out'));
}

/**
 * The failure happened before the irreversible call, or the call provably had no effect, so a retry is safe. Permanent
 * failures end the target. All others wait, up to the deadline.
 */
export function afterFailure(target: Target, failure: Failure, moment: Moment): Transition {
  const code = permanentCode(failure);
  const reason = withRequestId(failure);
  if (code) return fail(target, code, reason, failure.platformCode);
  const troubled = inTrouble(target, { ...whyRetried(failure), reason }, moment);
  if (failure.kind === 'rateLimited') return waitForLimit(troubled, failure, moment);
  const attempts = target.attempts + 1;
  const pause = pauseAfter(failure, attempts, moment);
  const isProcessing = isUsualProcessing(target, failure, moment);
  // What is tried again at once, as after a refresh of the token, is no trouble yet.
  const waiting: Target = {
    ...(pause === 0 || isProcessing ? target : troubled),
    state: 'waiting',
    attempts,
    dueAt: moment.now + pause,
  };
  if (moment.now + pause > deadlineOf(target))
    return fail(waiting, 'platform_unavailable', say('gave_up', { reason }), failure.platformCode);
  const event = isProcessing ? 'processing' : 'retry';
  return {
    target: waiting,
    entries: [entry(event, say('retry_in', { reason, pauseMs: pause }), failure.platformCode)],
  };
}

/** Delay in ms before the next attempt: what the platform asked for, or our own. */
function pauseAfter(failure: Failure, attempts: number, { random }: Moment): number {
  const asked = failure.kind === 'rateLimited' || failure.kind === 'transient' ? failure.waitMs : undefined;
  return asked === undefined ? retryPause(attempts, random, causeOf(failure)) : requestedPause(asked, random);
}

/** A wait for a rate limit does not count as an attempt. One for a daily window moves the deadline. */
export function waitForLimit(
  target: Target,
  limit: { waitMs: number; window: 'rate' | 'daily'; detail: Message; platformCode?: string },
  moment: Moment,
): Transition {
  const pause = requestedPause(limit.waitMs, moment.random);
  const dueAt = moment.now + pause;
  const deadlineAt = limit.window === 'daily' ? deadlineAfterWait(target, dueAt) : deadlineOf(target);
  const waiting: Target = { ...target, state: 'waiting', dueAt, deadlineAt };
  if (dueAt > deadlineAt) return fail(waiting, 'platform_limit_reached', limit.detail, limit.platformCode);
  return {
    target: waiting,
    entries: [entry('rate_limited', say('waiting', { reason: limit.detail, pauseMs: pause }), limit.platformCode)],
  };
}

/** Applies the outcome of a send. */
export function afterSend(
  target: Target,
  outcome: SendOutcome,
  completeWithoutIdMs: number,
  moment: Moment,
): Transition {
  switch (outcome.kind) {
    case 'done':
      return afterConfirm(target, outcome.result, completeWithoutIdMs, moment);
    case 'void':
      return afterProvenVoid(target, outcome.failure, moment);
    case 'refused':
      return afterRefusal(target, outcome.failure, moment);
    case 'unknown':
      return becomeUnknown(target, outcome.why, moment, outcome.platformCode);
  }
}

/** The send provably had no effect and may be repeated. */
export function afterProvenVoid(target: Target, failure: Failure, moment: Moment): Transition {
  return afterFailure({ ...resetVerification(target), sendKey: target.sendKey + 1 }, failure, moment);
}

/**
 * The platform permanently rejected the post and shows nothing of it. If an earlier send is unproven, a rejection
 * proves nothing and the target must be verified.
 */
export function afterRefusal(target: Target, failure: Failure, moment: Moment): Transition {
  if (target.unproven)
    return becomeUnknown(
      target,
      say('earlier_send_unverified', { reason: failure.detail }),
      moment,
      failure.platformCode,
    );
  return afterFailure(resetVerification(target), failure, moment);
}

/** The send may have worked. Nothing is sent again until verification proves that it did not. */
export function becomeUnknown(target: Target, why: Message, moment: Moment, platformCode?: string | null): Transition {
  return {
    target: {
      ...inTrouble(target, { code: 'outcome_unknown', reason: why, platformCode }, moment),
      state: 'unknown',
      unproven: true,
      dueAt: moment.now,
      verifications: 0,
      unknownSince: moment.now,
      notPostedSince: null,
      // Kept for the final error.
      detail: platformWords(why) || null,
    },
    entries: [entry('unknown', why, platformCode)],
  };
}

/** Applies the result of a verification. */
export function afterVerification(
  target: Target,
  result: VerifyResult,
  settle: Settle,
  completeWithoutIdMs: number,
  moment: Moment,
): Transition {
  if (result.then === 'posted' || result.then === 'confirming' || result.then === 'failed')
    return afterConfirm(target, result, completeWithoutIdMs, moment);
  const verifications = target.verifications + 1;
  const since = target.unknownSince ?? moment.now;
  const reason = result.note;
  if (result.then === 'notPosted') {
    const settled = since + settle.waitMs;
    const first = target.notPostedSince;
    if (first !== null && moment.now >= settled && moment.now >= first + settle.apartMs) {
      return {
        target: {
          ...resetVerification(target),
          state: 'waiting',
          checkpoint: result.checkpoint,
          dueAt: moment.now,
          verifications: 0,
        },
        entries: [entry('not_posted', say('not_published', { reason }))],
      };
    }
    const next = Math.max(settled, (first ?? moment.now) + settle.apartMs, moment.now + 1);
    return {
      target: { ...target, verifications, notPostedSince: first ?? moment.now, dueAt: next },
      entries: [entry('look', say('verify_again_in', { reason, pauseMs: next - moment.now }))],
    };
  }
  if (target.acceptDuplicate)
    return {
      target: {
        ...resetVerification(target),
        state: 'waiting',
        // With platform idempotency, reusing the key makes a duplicate unlikely.
        checkpoint: settle.idempotency === 'key' ? target.checkpoint : null,
        dueAt: moment.now,
        verifications: 0,
      },
      entries: [entry('retry', say('duplicate_accepted', { reason }))],
    };
  return verifyAgain(target, { reason }, result.afterMs, moment);
}

/** A failed verification proves nothing: neither that nothing was posted, nor that the platform cannot tell. */
export function afterFailedVerification(target: Target, failure: Failure, moment: Moment): Transition {
  const afterMs = failure.kind === 'rateLimited' ? failure.waitMs : undefined;
  return verifyAgain(target, { reason: failure.detail, cause: causeOf(failure) }, afterMs, moment);
}

/**
 * The platform named another post as ours, so it has named none, even when repeated. Verification may report the same id
 * each time and lead back to `confirming`, so from the second time on the target waits as long as it has waited already.
 */
export function afterTakenId(target: Target, why: Message, moment: Moment): Transition {
  if (target.state === 'unknown')
    return afterFailedVerification(target, { kind: 'unknownOutcome', detail: why }, moment);
  const next = becomeUnknown(target, why, moment);
  const since = target.confirmingSince;
  if (!target.unproven || since === null) return next;
  const pause = Math.max(verificationPause(1), moment.now - since);
  if (moment.now + pause > since + VERIFY_FOR)
    return fail(next.target, 'outcome_unknown', say('check_before_retry', { reason: why }));
  return { ...next, target: { ...next.target, dueAt: moment.now + pause } };
}

function verifyAgain(
  target: Target,
  why: Pick<Reason, 'reason' | 'cause'>,
  afterMs: number | undefined,
  moment: Moment,
): Transition {
  const { reason } = why;
  const verifications = target.verifications + 1;
  const pause = afterMs ?? verificationPause(verifications);
  const unknown: Target = {
    ...inTrouble(target, { ...why, code: 'outcome_unknown' }, moment),
    verifications,
    notPostedSince: null,
    dueAt: moment.now + pause,
  };
  if (moment.now + pause > (target.unknownSince ?? moment.now) + VERIFY_FOR)
    return fail(unknown, 'outcome_unknown', withPlatformWords(say('maybe_published'), target.detail ?? ''));
  return { target: unknown, entries: [entry('look', say('verify_again_in', { reason, pauseMs: pause }))] };
}

/** A failed poll proves nothing about the post. */
export function afterFailedPoll(
  target: Target,
  failure: Failure,
  completeWithoutIdMs: number,
  moment: Moment,
): Transition {
  const attempts = target.attempts + 1;
  const pause = pauseAfter(failure, attempts, moment);
  const polled = afterConfirm(
    target,
    {
      then: 'confirming',
      checkpoint: target.checkpoint ?? {},
      afterMs: pause,
      note: say('poll_again_in', { reason: failure.detail, pauseMs: pause }),
    },
    completeWithoutIdMs,
    moment,
  );
  if (isFinal(polled.target)) return polled;
  const isProcessing = isUsualProcessing(target, failure, moment);
  const { trouble } = isProcessing ? polled.target : inTrouble(target, whyRetried(failure), moment);
  return { ...polled, target: { ...polled.target, attempts, trouble } };
}

/**
 * The platform accepted the post and now reports that it will not appear. Reusing that send's key would return the same
 * failed post, so a new key is used.
 */
function afterCertainNo(target: Target, failure: Failure, moment: Moment): Transition {
  return afterFailure({ ...resetVerification(target), sendKey: target.sendKey + 1, checkpoint: null }, failure, moment);
}

/** Resets verification state before a new send. Permission to risk a duplicate ends with the doubt it was given for. */
function resetVerification(target: Target): Target {
  return {
    ...target,
    unknownSince: null,
    notPostedSince: null,
    verifications: 0,
    confirmingSince: null,
    completeSince: null,
    acceptDuplicate: false,
  };
}
