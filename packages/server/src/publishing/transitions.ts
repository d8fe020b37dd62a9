/** What all decisions about targets have in common. Pure. */
import type { Published } from '../connectors/contract.ts';
import { DAY, HOUR } from '../lib/time.ts';
import type { Message } from '../messages/message.ts';
import type { FailureCause } from '../outbound/platform-error.ts';
import type { Target, TargetCode, TimelineEntry, Transition } from './target.ts';

/** Clock and randomness for a decision. `now`: ms since the epoch by the database's clock. */
export interface Moment {
  now: number;
  random: () => number;
}

const GIVE_UP_AFTER = DAY;
const GIVE_UP_AFTER_WAITS = 3 * DAY;

export const entry = (event: string, message: Message, platformCode?: string | null): TimelineEntry => ({
  event,
  message,
  ...(platformCode ? { platformCode } : {}),
});

/** When an unfinished target fails. */
export function deadlineOf(target: Target): number {
  return target.deadlineAt ?? target.countsFrom + GIVE_UP_AFTER;
}

/** A long wait moves the deadline to its end + 1 h, at most 72 h past due. @param dueAt its end */
export function deadlineAfterWait(target: Target, dueAt: number): number {
  return Math.min(Math.max(deadlineOf(target), dueAt + HOUR), target.countsFrom + GIVE_UP_AFTER_WAITS);
}

export function fail(target: Target, code: TargetCode, detail: Message, platformCode?: string | null): Transition {
  return {
    target: {
      ...target,
      state: 'failed',
      dueAt: null,
      code,
      detail: detail.text,
      platformCode: platformCode ?? null,
      trouble: null,
    },
    entries: [entry('failed', detail, platformCode)],
  };
}

export function post(target: Target, published: Published, note: Message, moment: Moment): Transition {
  return {
    target: {
      ...target,
      state: 'posted',
      dueAt: null,
      code: null,
      platformCode: null,
      detail: published.detail ?? null,
      remoteId: published.remoteId,
      url: published.url,
      publishedAt: published.publishedAt ?? target.committedAt ?? moment.now,
      trouble: null,
    },
    entries: [entry('posted', note)],
  };
}

/** Why a target has to be tried again. */
export interface Reason {
  /** What it fails with if this does not end. */
  code: TargetCode;
  reason: Message;
  platformCode?: string | null | undefined;
  cause?: FailureCause | undefined;
}

/** The target with the reason why it has to be tried again. It stays until a step succeeds. */
export function inTrouble(target: Target, { code, reason, platformCode, cause }: Reason, moment: Moment): Target {
  const { since = moment.now, attempts = 0, movedAt } = target.trouble ?? {};
  const moved = movedAt === undefined ? {} : { movedAt };
  const latest = { code, reason, platformCode: platformCode ?? null, ...(cause ? { cause } : {}) };
  return { ...target, trouble: { ...latest, ...moved, since, attempts: attempts + 1 } };
}
