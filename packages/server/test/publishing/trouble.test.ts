/** Why targets have to be tried again: when it is recorded, and when it ends. */
import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { simulator } from '@reelay/sandbox/platforms/mastodon/index.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IrreversibleRequest, Work } from '../../src/connectors/contract.ts';
import { stillProcessing } from '../../src/connectors/kit/failures.ts';
import { unreachable } from '../../src/connectors/kit/network-failures.ts';
import { connector } from '../../src/connectors/mastodon/index.ts';
import { HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import { type ManagedHttp, NetworkError } from '../../src/outbound/http-client.ts';
import type { Failure } from '../../src/outbound/platform-error.ts';
import * as decide from '../../src/publishing/decide.ts';
import * as recovery from '../../src/publishing/recovery.ts';
import { send } from '../../src/publishing/send.ts';
import { isFinal, type Target, type Transition } from '../../src/publishing/target.ts';
import { waitForFile, waitForQuietHours } from '../../src/publishing/waiting.ts';
import { messageOf } from '../harness/message.ts';
import { scheduledTarget } from '../harness/target.ts';
import { createWorld } from '../harness/world.ts';

const NOW = Date.UTC(2026, 10, 21);
const at = (now = NOW) => ({ now, random: () => 0.5 });
const working: Target = { ...scheduledTarget(NOW), state: 'working', begunAt: NOW };
const busy: Failure = { kind: 'transient', detail: messageOf('It was busy.'), platformCode: 'E503' };
const limited: Failure = {
  ...{ kind: 'rateLimited', waitMs: HOUR, scope: 'account', window: 'rate' },
  detail: messageOf('Slow down.'),
};
const busyWithVideo = stillProcessing(messageOf('Still processing.'), 10 * SECOND);
const step = { then: 'continue', checkpoint: { step: 2 }, note: messageOf('Uploaded.') } as const;
const confirming: Target = { ...working, state: 'confirming', confirmingSince: NOW };
const processing = { then: 'confirming', checkpoint: {}, afterMs: MINUTE, note: messageOf('Processing.') } as const;
const nothing = { then: 'stillUnknown', note: messageOf('Not visible.') } as const;
const published = { remoteId: '1', url: null, publishedAt: null };
const posted = { then: 'posted', published, note: messageOf('Posted.') } as const;
const SETTLE = { waitMs: MINUTE, apartMs: MINUTE, idempotency: 'none' } as const;

describe('trouble', () => {
  test('counts failures from the first until a step succeeds', () => {
    const first = decide.afterFailure(working, busy, at()).target;
    expect(first.trouble).toEqual({
      ...{ code: 'platform_unavailable', platformCode: 'E503', since: NOW, attempts: 1 },
      reason: busy.detail,
    });
    const second = decide.afterFailure(first, limited, at(NOW + SECOND)).target;
    expect(second.trouble).toMatchObject({ code: 'platform_limit_reached', since: NOW, attempts: 2 });
    expect(decide.afterContinue(second, step, at(NOW + MINUTE)).target.trouble).toBeNull();
  });

  test('lasts from an unknown outcome to its proof', () => {
    const unknown = decide.becomeUnknown({ ...working, state: 'committing' }, messageOf('Cut off.'), at()).target;
    expect(unknown.trouble).toMatchObject({ code: 'outcome_unknown', attempts: 1 });
    const again = decide.afterVerification(unknown, nothing, SETTLE, 0, at(NOW + SECOND)).target;
    expect(again.trouble).toMatchObject({ code: 'outcome_unknown', since: NOW, attempts: 2 });
    expect(decide.afterVerification(again, posted, SETTLE, 0, at(NOW + MINUTE)).target.trouble).toBeNull();
  });

  test('ends when the platform processes the post again', () => {
    const failed = decide.afterFailedPoll(confirming, busy, 0, at()).target;
    expect(failed.trouble).toMatchObject({ code: 'platform_unavailable', attempts: 1 });
    expect(decide.afterConfirm(failed, processing, 0, at(NOW + MINUTE)).target.trouble).toBeNull();
  });

  test('names errors of our own', () => {
    const { trouble } = recovery.afterInternalError(working, 0, at()).target;
    expect(trouble).toMatchObject({ code: 'internal_error', attempts: 1 });
    expect(recovery.afterCrash({ ...working, crashes: 4 }, at()).target.trouble).toMatchObject({
      code: 'internal_error',
    });
  });

  test('is a video that is processed for unusually long', () => {
    const later = (ms: number) => decide.afterFailure(working, busyWithVideo, at(NOW + ms));
    expect(later(15 * MINUTE - 1)).toMatchObject({ target: { trouble: null }, entries: [{ event: 'processing' }] });
    expect(later(15 * MINUTE)).toMatchObject({ target: { trouble: { attempts: 1 } }, entries: [{ event: 'retry' }] });
  });

  test.each([
    ['a refreshed token', decide.afterFailure(working, recovery.afterRefresh(working), at())],
    ['our own limit', decide.waitForLimit(working, { ...limited, waitMs: HOUR, window: 'rate' }, at())],
    ['a video in processing', decide.afterFailure(working, busyWithVideo, at())],
    ['a poll of a video in processing', decide.afterFailedPoll(confirming, busyWithVideo, HOUR, at())],
    ['a conversion', waitForFile(working, NOW, at(), messageOf('Too large.'))],
    ['quiet hours', waitForQuietHours(working, NOW + HOUR)],
    ['a single crash', recovery.afterCrash(working, at())],
  ])('is not caused by %s', (_, { target }) => {
    expect(target.trouble).toBeNull();
  });

  const DECISIONS: Record<string, (target: Target, now: number) => Transition> = {
    fails: (target, now) => decide.afterFailure(target, busy, at(now)),
    waitsForVideo: (target, now) => decide.afterFailure(target, busyWithVideo, at(now)),
    isLimited: (target, now) => decide.afterFailure(target, limited, at(now)),
    isRejected: (target, now) =>
      decide.afterFailure(target, { kind: 'rejected', what: 'video', detail: messageOf('Too long.') }, at(now)),
    continues: (target, now) => decide.afterContinue(target, step, at(now)),
    isCutOff: (target, now) => decide.becomeUnknown(target, messageOf('Cut off.'), at(now)),
    isNotSeen: (target, now) => decide.afterVerification(target, nothing, SETTLE, 0, at(now)),
    isProcessed: (target, now) => decide.afterConfirm(target, processing, 0, at(now)),
    pollFails: (target, now) => decide.afterFailedPoll(target, busy, HOUR, at(now)),
    isPosted: (target, now) => decide.afterConfirm(target, posted, 0, at(now)),
    crashes: (target, now) => recovery.afterCrash(target, at(now)),
    hasBug: (target, now) => recovery.afterInternalError(target, 0, at(now)),
  };

  test('is never left on a final target', () => {
    const name = fc.constantFrom(...Object.keys(DECISIONS));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.integer({ min: 0, max: 12 * HOUR })), { maxLength: 12 }), (given) => {
        let target = working;
        let now = NOW;
        for (const [decision, pause] of given) {
          if (isFinal(target)) break;
          now += pause;
          const { trouble } = target;
          ({ target } = DECISIONS[decision]?.(target, now) ?? { target });
          if (isFinal(target)) expect(target.trouble).toBeNull();
          else if (target.trouble && trouble) {
            expect(target.trouble.since).toBe(trouble.since);
            expect(target.trouble.attempts - trouble.attempts).toBeOneOf([0, 1]);
          } else if (target.trouble) expect(target.trouble).toMatchObject({ since: now, attempts: 1 });
        }
      }),
    );
  });
});

test('a server that is down for a while is recorded', async () => {
  const world = await createWorld({ connector, module: simulator });
  try {
    world.simulator.faults.add({
      when: ({ path }) => path === '/api/v2/media',
      times: 2,
      fault: { kind: 'status', answer: { status: 503, headers: {}, body: { error: 'Back\u0000 soon' } } },
    });
    const id = await world.post();
    const worker = await world.worker();
    await worker.runUntilIdle();
    const { state, trouble } = await world.target(id);
    expect({ state, trouble }).toMatchObject({
      state: 'waiting',
      trouble: { code: 'platform_unavailable', attempts: 1, reason: { params: {} } },
    });
    expect(JSON.stringify(trouble)).toContain('Back soon');
    await world.settle(worker, id);
    expect(await world.target(id)).toMatchObject({ state: 'posted', trouble: null });
  } finally {
    await world.close();
  }
});

describe('a connection that the platform closes', () => {
  const VERIFIES =
    'The platform closed the connection before it responded. Reelay checks whether the post was published, and sends it again only if it was not.';
  test.each<[title: string, path: string, fault: Fault, line: string]>([
    [
      'is retried before the send',
      '/api/v2/media',
      { kind: 'reset-before' },
      'retry: The platform closed the connection before it responded. Retrying in ',
    ],
    ['is verified after the send', '/api/v1/statuses', { kind: 'reset-after' }, `unknown: ${VERIFIES}`],
  ])('%s', async (_, path, fault, line) => {
    const world = await createWorld({ connector, module: simulator });
    try {
      world.simulator.faults.add({ when: (call) => call.method === 'POST' && call.path === path, times: 1, fault });
      const id = await world.post();
      await world.settle(await world.worker(), id);
      expect((await world.target(id)).state).toBe('posted');
      expect(await world.timeline(id)).toContainEqual(expect.stringContaining(line));
    } finally {
      await world.close();
    }
  });

  test('during an incomplete send says that nothing was published', async () => {
    const http = { irreversible: () => Promise.reject(new NetworkError('reset', 'no')) } as Partial<ManagedHttp>;
    const request: IrreversibleRequest = {
      method: 'POST',
      url: '',
      headers: {},
      body: { kind: 'none' },
      deadlineMs: 1,
    };
    const outcome = await send(http as ManagedHttp, connector, {} as Work, {}, request, () => true);
    expect(outcome).toMatchObject({
      kind: 'void',
      failure: { cause: 'connection', detail: { text: expect.stringContaining('This attempt published nothing.') } },
    });
  });

  test('names the server while an account is connected', () => {
    const { failure } = unreachable('https://social.example/api', new NetworkError('reset', 'maybe'));
    expect(failure.detail.text).toBe('The server social.example closed the connection before it responded.');
  });
});
