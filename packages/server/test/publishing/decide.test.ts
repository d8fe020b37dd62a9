import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import { say } from '../../src/messages/timeline.ts';
import type { Failure } from '../../src/outbound/platform-error.ts';
import * as decide from '../../src/publishing/decide.ts';
import { afterCrash, afterInternalError, afterUnrecordedSend } from '../../src/publishing/recovery.ts';
import { isFinal, type Target } from '../../src/publishing/target.ts';
import { waitForFile, waitForQuietHours, waitForSameText } from '../../src/publishing/waiting.ts';
import { messageOf } from '../harness/message.ts';
import { scheduledTarget } from '../harness/target.ts';

const NOW = Date.UTC(2026, 10, 21);
const SETTLE = { waitMs: 15 * MINUTE, apartMs: 2 * MINUTE, idempotency: 'none' } as const;
const at = (now = NOW) => ({ now, random: () => 0.5 });

function target(overrides: Partial<Target> = {}): Target {
  return {
    ...scheduledTarget(NOW),
    state: 'working',
    begunAt: NOW,
    checkpoint: { step: 1 },
    ...overrides,
  };
}

const transient: Failure = { kind: 'transient', detail: messageOf('It was busy.') };
const notPosted = { then: 'notPosted', checkpoint: { step: 7 }, note: messageOf('Not there.') } as const;

test('a send without effect gets a new key', () => {
  const confirming = target({ state: 'confirming', sendKey: 3 });
  const gone = { then: 'failed', failure: transient } as const;
  const { target: next } = decide.afterConfirm(confirming, gone, 0, at());
  expect(next).toMatchObject({ state: 'waiting', sendKey: 4, checkpoint: null });
});

test('a complete post ends as posted when polling fails', () => {
  const complete = target({ state: 'confirming', confirmingSince: NOW - HOUR, completeSince: NOW - HOUR });
  const { target: next } = decide.afterFailedPoll(complete, transient, 30 * MINUTE, at());
  expect(next).toMatchObject({ state: 'posted', url: null });
});

describe('before the irreversible call', () => {
  test('signs of an earlier send are verified first', () => {
    const signs = { then: 'look', checkpoint: { step: 2 }, note: messageOf('The upload is used up.') } as const;
    const looking = decide.afterDoubt(target(), signs, at()).target;
    expect(looking).toMatchObject({ state: 'unknown', unproven: true, dueAt: NOW, checkpoint: { step: 2 } });
    const given = decide.afterDoubt(target(), signs, at(NOW + DAY + 1)).target;
    expect(given).toMatchObject({ state: 'failed', code: 'outcome_unknown' });
  });

  test('a post with doubtful text waits at most a day', () => {
    const first = waitForSameText(target(), at());
    expect(first.target).toMatchObject({ state: 'waiting', dueAt: NOW + MINUTE, attempts: 0 });
    expect(first.entries).toHaveLength(1);
    expect(waitForSameText(first.target, at(NOW + MINUTE)).entries).toEqual([]);
    expect(waitForSameText(first.target, at(NOW + DAY)).target.code).toBe('platform_unavailable');
  });

  test('quiet hours move the deadline, at most to three days', () => {
    const late = waitForQuietHours(target(), NOW + 30 * HOUR).target;
    expect(late).toMatchObject({ state: 'waiting', dueAt: NOW + 30 * HOUR, deadlineAt: NOW + 31 * HOUR, attempts: 0 });
    expect(waitForQuietHours(late, NOW + 71.5 * HOUR).target).toMatchObject({ deadlineAt: NOW + 72 * HOUR });
    expect(waitForQuietHours(target(), NOW + 2 * HOUR).target).toMatchObject({ deadlineAt: NOW + DAY });
    const given = waitForQuietHours(late, NOW + 73 * HOUR).target;
    expect(given).toMatchObject({ state: 'failed', code: 'platform_unavailable', dueAt: null });
  });

  test('steps without progress end after a day', () => {
    let now = NOW;
    let current = target();
    for (let step = 0; step < 10_000 && !isFinal(current); step++) {
      const result = {
        then: 'continue',
        checkpoint: { step },
        afterMs: MINUTE,
        note: messageOf('Still processing.'),
      } as const;
      current = decide.afterContinue(current, result, at(now)).target;
      now = current.dueAt ?? now;
    }
    expect(current).toMatchObject({ state: 'failed', code: 'platform_unavailable' });
    expect(current.detail).toContain('Still processing.');
    expect(now).toBe(NOW + DAY);
  });

  test('retry delays grow and end after a day', () => {
    let now = NOW;
    let current = target();
    const pauses: number[] = [];
    while (!isFinal(current)) {
      const next = decide.afterFailure(current, transient, at(now)).target;
      if (next.dueAt !== null) {
        pauses.push(next.dueAt - now);
        now = next.dueAt;
      }
      current = next;
    }
    expect(current.code).toBe('platform_unavailable');
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(now).toBeLessThanOrEqual(NOW + DAY);
    expect(now).toBeGreaterThan(NOW + DAY - HOUR);
  });

  test('a requested wait is exact and not an attempt', () => {
    const asked: Failure = {
      kind: 'rateLimited',
      waitMs: 61_500,
      scope: 'account',
      window: 'rate',
      detail: messageOf('Slow down.'),
    };
    const { target: next } = decide.afterFailure(target({ attempts: 2 }), asked, at());
    expect(next).toMatchObject({ state: 'waiting', attempts: 2 });
    expect((next.dueAt ?? 0) - NOW).toBeGreaterThanOrEqual(62_000);
    expect((next.dueAt ?? 0) - NOW).toBeLessThanOrEqual(69_000);
  });

  test('a daily limit extends the deadline, up to three days', () => {
    const daily = (waitMs: number): Failure => ({
      kind: 'rateLimited',
      waitMs,
      scope: 'account',
      window: 'daily',
      detail: messageOf('Enough.'),
    });
    const once = decide.afterFailure(target(), daily(30 * HOUR), at()).target;
    expect(once.state).toBe('waiting');
    expect(once.deadlineAt).toBeGreaterThanOrEqual(NOW + 31 * HOUR);
    expect(decide.afterFailure(once, daily(80 * HOUR), at()).target).toMatchObject({
      state: 'failed',
      code: 'platform_limit_reached',
    });
  });

  test.each([
    [{ kind: 'reconnect' }, 'reconnect_required'],
    [{ kind: 'setup' }, 'setup_needed'],
    [{ kind: 'rejected', what: 'video' }, 'video_rejected'],
    [{ kind: 'rejected', what: 'caption' }, 'caption_rejected'],
    [{ kind: 'rejected', what: 'policy' }, 'policy_rejected'],
    [{ kind: 'rejected', what: 'duplicate' }, 'duplicate_rejected'],
    [{ kind: 'rejected', what: 'permission' }, 'permission_missing'],
    [{ kind: 'rejected', what: 'other' }, 'platform_error'],
  ] as const)('%o ends at once as %s', (kind, code) => {
    const failure = { ...kind, detail: messageOf('No.'), platformCode: 'x1' } as Failure;
    expect(decide.afterFailure(target(), failure, at()).target).toMatchObject({
      state: 'failed',
      code,
      dueAt: null,
      platformCode: 'x1',
    });
  });
});

describe('after a send without proof', () => {
  const unknown = decide.becomeUnknown(
    target({ state: 'committing', sends: 1 }),
    messageOf('No response.'),
    at(),
  ).target;

  test('one verification that finds no post proves nothing', () => {
    const { target: next } = decide.afterVerification(unknown, notPosted, SETTLE, HOUR, at());
    expect(next.state).toBe('unknown');
    expect(next.dueAt).toBe(NOW + SETTLE.waitMs);
  });

  test('two spaced verifications prove that nothing was posted', () => {
    const first = decide.afterVerification(unknown, notPosted, SETTLE, HOUR, at()).target;
    const second = decide.afterVerification(first, notPosted, SETTLE, HOUR, at(NOW + SETTLE.waitMs)).target;
    expect(second).toMatchObject({ state: 'waiting', checkpoint: { step: 7 }, unproven: true });
  });

  test('two verifications close together prove nothing', () => {
    const late = NOW + SETTLE.waitMs;
    const first = decide.afterVerification(unknown, notPosted, SETTLE, HOUR, at(late)).target;
    const second = decide.afterVerification(first, notPosted, SETTLE, HOUR, at(late + SECOND)).target;
    expect(second.state).toBe('unknown');
  });

  test('a failed verification in between restarts the count', () => {
    const first = decide.afterVerification(unknown, notPosted, SETTLE, HOUR, at()).target;
    const blind = decide.afterVerification(
      first,
      { then: 'stillUnknown', note: messageOf('Blind.') },
      SETTLE,
      HOUR,
      at(NOW + MINUTE),
    ).target;
    const second = decide.afterVerification(blind, notPosted, SETTLE, HOUR, at(NOW + SETTLE.waitMs)).target;
    expect(second.state).toBe('unknown');
  });

  test("the final error has the platform's words, even without proof", () => {
    const words = 'A rule that nobody knows.';
    const says = say('platform_says', { reason: say('send_unclear', { code: '500' }), words });
    for (const why of [says, say('earlier_send_unverified', { reason: says })]) {
      const doubt = decide.becomeUnknown(target({ state: 'committing', sends: 1 }), why, at()).target;
      const blind = { then: 'stillUnknown', note: messageOf('Blind.') } as const;
      const { target: next, entries } = decide.afterVerification(doubt, blind, SETTLE, HOUR, at(NOW + 8 * DAY));
      expect(next).toMatchObject({ state: 'failed', code: 'outcome_unknown', detail: expect.stringContaining(words) });
      expect(entries[0]?.message).toMatchObject({ code: 'platform_says', params: { words } });
      expect(decide.becomeUnknown(doubt, messageOf('No response.'), at()).target.detail).toBeNull();
    }
  });

  test('a day without proof ends as outcome_unknown', () => {
    let now = NOW;
    let current: Target = unknown;
    while (!isFinal(current)) {
      current = decide.afterVerification(
        current,
        { then: 'stillUnknown', note: messageOf('Blind.') },
        SETTLE,
        HOUR,
        at(now),
      ).target;
      now = current.dueAt ?? now;
    }
    expect(current.code).toBe('outcome_unknown');
    expect(now - NOW).toBeLessThanOrEqual(DAY);
  });

  test('a rejection no longer proves anything', () => {
    const refusal: Failure = { kind: 'rejected', what: 'duplicate', detail: messageOf('Already there.') };
    const again = target({ state: 'committing', unproven: true, sends: 2 });
    expect(decide.afterRefusal(again, refusal, at()).target.state).toBe('unknown');
    expect(decide.afterRefusal({ ...again, unproven: false }, refusal, at()).target.code).toBe('duplicate_rejected');
  });

  test('a duplicate is risked only on the user’s request', () => {
    const asked = { ...unknown, acceptDuplicate: true };
    const next = decide.afterVerification(
      asked,
      { then: 'stillUnknown', note: messageOf('Blind.') },
      SETTLE,
      HOUR,
      at(),
    ).target;
    expect(next).toMatchObject({ state: 'waiting', checkpoint: null, acceptDuplicate: false });
    const keyed = decide.afterVerification(
      asked,
      { then: 'stillUnknown', note: messageOf('Blind.') },
      { ...SETTLE, idempotency: 'key' },
      HOUR,
      at(),
    );
    expect(keyed.target.checkpoint).toEqual(asked.checkpoint);
  });
});

describe('permission to risk a duplicate', () => {
  const asked = target({ state: 'unknown', unproven: true, unknownSince: NOW, acceptDuplicate: true });

  test('is not used up by a failed verification', () => {
    const { target: next } = decide.afterFailedVerification(asked, transient, at());
    expect(next).toMatchObject({ state: 'unknown', acceptDuplicate: true, checkpoint: asked.checkpoint });
  });

  test('ends with the proof that nothing was posted', () => {
    const first = decide.afterVerification(asked, notPosted, SETTLE, HOUR, at()).target;
    const second = decide.afterVerification(first, notPosted, SETTLE, HOUR, at(NOW + SETTLE.waitMs)).target;
    expect(second).toMatchObject({ state: 'waiting', acceptDuplicate: false });
  });

  test('does not cover another send', () => {
    const waiting = target({ state: 'waiting', acceptDuplicate: true });
    expect(decide.toCommitting(waiting, {}, messageOf('Sending.'), MINUTE, at()).target.acceptDuplicate).toBe(false);
    expect(decide.afterProvenVoid(asked, transient, at()).target.acceptDuplicate).toBe(false);
  });
});

test.each([
  ['committing', 'unknown'],
  ['unknown', 'unknown'],
  ['confirming', 'confirming'],
  ['working', 'waiting'],
] as const)('an internal error leads from %s to %s', (state, next) => {
  expect(afterInternalError(target({ state, unknownSince: NOW }), HOUR, at()).target.state).toBe(next);
});

test('polls for a rendition slow down', () => {
  const after = (minutes: number) => (waitForFile(target(), NOW - minutes * MINUTE, at()).target.dueAt ?? 0) - NOW;
  expect([after(0), after(1), after(3), after(600)]).toEqual([2 * SECOND, 7.5 * SECOND, 22.5 * SECOND, 30 * SECOND]);
});

describe('after the platform accepted the post', () => {
  const confirming = { then: 'confirming', checkpoint: {}, afterMs: HOUR, note: messageOf('Processing.') } as const;

  test('processing does not fail within seven days', () => {
    let now = NOW;
    let current = target({ state: 'committing' });
    while (!isFinal(current)) {
      current = decide.afterConfirm(current, confirming, HOUR, at(now)).target;
      now = current.dueAt ?? now;
    }
    expect(current.code).toBe('outcome_unknown');
    expect(now - NOW).toBeGreaterThanOrEqual(7 * DAY);
  });

  test('a complete post without an id succeeds in time', () => {
    const complete = { ...confirming, complete: true };
    const first = decide.afterConfirm(target({ state: 'committing' }), complete, 48 * HOUR, at()).target;
    expect(first.state).toBe('confirming');
    const later = decide.afterConfirm(first, complete, 48 * HOUR, at(NOW + 48 * HOUR)).target;
    expect(later).toMatchObject({ state: 'posted', url: null, code: null });
  });

  test('a processing failure on the platform restarts the post', () => {
    const { target: next } = decide.afterConfirm(
      target({ state: 'confirming' }),
      { then: 'failed', failure: transient },
      HOUR,
      at(),
    );
    expect(next).toMatchObject({ state: 'waiting', checkpoint: null });
  });

  test('a failed poll is repeated and changes nothing else', () => {
    const polled = target({ state: 'confirming', confirmingSince: NOW, checkpoint: { step: 3 } });
    const { target: next } = decide.afterFailedPoll(polled, transient, HOUR, at());
    expect(next).toMatchObject({ state: 'confirming', checkpoint: { step: 3 }, confirmingSince: NOW });
  });
});

describe('crashes', () => {
  test('the fifth delays the target and the eighth fails it', () => {
    let current = target();
    const waits: number[] = [];
    for (let n = 0; n < 8; n++) {
      current = afterCrash(current, at()).target;
      waits.push(((current.dueAt ?? NOW) - NOW) / MINUTE);
    }
    expect(waits).toEqual([0, 0, 0, 0, 1, 5, 30, 0]);
    expect(current).toMatchObject({ state: 'failed', code: 'internal_error' });
  });

  test('a committed step resets the count', () => {
    const crashed = target({ crashes: 4 });
    const { target: next } = decide.afterContinue(
      crashed,
      { then: 'continue', checkpoint: {}, note: messageOf('On.') },
      at(),
    );
    expect(next.crashes).toBe(0);
  });

  test('a target in committing is verified after any crash', () => {
    const { target: next } = afterUnrecordedSend(target({ state: 'committing', crashes: 20 }), at());
    expect(next).toMatchObject({ state: 'unknown', unproven: true });
  });
});

test('an unproven send is never repeated without proof', () => {
  const failure = fc.constantFrom<Failure>(
    transient,
    { kind: 'tokenExpired', detail: messageOf('x') },
    { kind: 'reconnect', detail: messageOf('x') },
    { kind: 'rateLimited', waitMs: 1000, scope: 'account', window: 'rate', detail: messageOf('x') },
    { kind: 'rejected', what: 'policy', detail: messageOf('x') },
    { kind: 'unknownOutcome', detail: messageOf('x') },
  );
  const unknown = target({ state: 'unknown', unproven: true, unknownSince: NOW });
  fc.assert(
    fc.property(failure, fc.integer({ min: 0, max: 30 * DAY }), (what, later) => {
      const moment = at(NOW + later);
      const after = [
        afterCrash(unknown, moment),
        decide.afterRefusal(unknown, what, moment),
        decide.becomeUnknown(unknown, messageOf('x'), moment),
        decide.afterVerification(unknown, { then: 'stillUnknown', note: messageOf('x') }, SETTLE, HOUR, moment),
        decide.afterVerification(unknown, notPosted, SETTLE, HOUR, moment),
      ];
      for (const { target: next } of after) expect(['unknown', 'failed']).toContain(next.state);
    }),
  );
});
