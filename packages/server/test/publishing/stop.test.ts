/** How targets end whose user asked to stop trying. */
import { simulator } from '@reelay/sandbox/platforms/mastodon/index.ts';
import { simulator as xSimulator } from '@reelay/sandbox/platforms/x/index.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { connector } from '../../src/connectors/mastodon/index.ts';
import { connector as x } from '../../src/connectors/x/index.ts';
import { MINUTE } from '../../src/lib/time.ts';
import * as decide from '../../src/publishing/decide.ts';
import { stopAfterVerification, stopBeforeSend } from '../../src/publishing/stop.ts';
import type { Target, TargetState } from '../../src/publishing/target.ts';
import { messageOf } from '../harness/message.ts';
import { scheduledTarget } from '../harness/target.ts';
import { createWorld, type World } from '../harness/world.ts';

const NOW = Date.UTC(2026, 10, 21);
const at = (now = NOW) => ({ now, random: () => 0.5 });
const asked = (state: TargetState): Target => ({ ...scheduledTarget(NOW), state, begunAt: NOW, stopRequested: true });
const nothing = { then: 'stillUnknown', note: messageOf('Not visible.') } as const;
const notPosted = { then: 'notPosted', checkpoint: null, note: messageOf('Not there.') } as const;
const processing = { then: 'confirming', checkpoint: {}, afterMs: MINUTE, note: messageOf('Processing.') } as const;
const published = { remoteId: '1', url: null, publishedAt: null };
const SETTLE = { waitMs: MINUTE, apartMs: MINUTE, idempotency: 'none' } as const;

describe('a target to stop', () => {
  test.each(['scheduled', 'working', 'waiting'] as const)('ends at once if it is %s', (state) => {
    expect(stopBeforeSend(asked(state))?.target).toMatchObject({ state: 'failed', code: 'stopped', dueAt: null });
    expect(stopBeforeSend({ ...asked(state), stopRequested: false })).toBeNull();
  });

  test.each(['committing', 'unknown', 'confirming'] as const)('does not end unverified if it is %s', (state) => {
    expect(stopBeforeSend(asked(state))).toBeNull();
  });

  test('ends after one verification without a result', () => {
    const unknown = decide.becomeUnknown(asked('committing'), messageOf('Cut off.'), at()).target;
    const verified = decide.afterVerification(unknown, nothing, SETTLE, 0, at(NOW + 1));
    const { target, entries } = stopAfterVerification(unknown, verified);
    expect(target).toMatchObject({ state: 'failed', code: 'outcome_unknown', unproven: true, trouble: null });
    expect(entries.map(({ event }) => event)).toEqual(['look', 'failed']);
  });

  test('is posted if the verification finds it', () => {
    const unknown = decide.becomeUnknown(asked('committing'), messageOf('Cut off.'), at()).target;
    const found = { then: 'posted', published, note: messageOf('Posted.') } as const;
    const verified = decide.afterVerification(unknown, found, SETTLE, 0, at());
    expect(stopAfterVerification(unknown, verified)).toBe(verified);
    expect(verified.target.state).toBe('posted');
  });

  test('is stopped if the verifications prove that nothing was posted', () => {
    const since = { unknownSince: NOW, notPostedSince: NOW };
    const unknown: Target = { ...asked('unknown'), unproven: true, ...since };
    const verified = decide.afterVerification(unknown, notPosted, SETTLE, 0, at(NOW + 2 * MINUTE));
    const { target } = stopAfterVerification(unknown, verified);
    expect(target.state).toBe('waiting');
    expect(stopBeforeSend(target)?.target.code).toBe('stopped');
  });

  test('is polled once if the platform processes it', () => {
    const unknown: Target = { ...asked('unknown'), unproven: true, unknownSince: NOW };
    const found = decide.afterVerification(unknown, processing, SETTLE, 0, at());
    expect(stopAfterVerification(unknown, found)).toBe(found);
    const polled = decide.afterConfirm(found.target, processing, 0, at(NOW + MINUTE));
    expect(stopAfterVerification(found.target, polled).target).toMatchObject({ code: 'outcome_unknown' });
  });
});

describe('a worker', () => {
  let world: World | null = null;
  afterEach(async () => {
    await world?.close();
    world = null;
  });
  const stop = async ({ db }: World, id: string) => {
    await db.execute(
      `update target set stop_requested = true, due_at = least(due_at, app_now()), version = version + 1 where id = $1`,
      [id],
    );
    await db.execute('update lane set next_due_at = least(next_due_at, app_now())');
  };

  test('sends nothing of a target to stop', async () => {
    world = await createWorld({ connector, module: simulator });
    const id = await world.post();
    await stop(world, id);
    await world.settle(await world.worker(), id);
    expect(await world.target(id)).toMatchObject({ state: 'failed', code: 'stopped' });
    expect(await world.simulator.published()).toEqual([]);
  });

  test('sends nothing although it was asked during the upload', async () => {
    world = await createWorld({ connector, module: simulator });
    const opened = world;
    const id = await world.post();
    world.simulator.faults.add({
      when: ({ path }) => path === '/api/v2/media',
      times: 1,
      fault: { kind: 'status', answer: { status: 503, headers: {}, body: {} } },
    });
    const worker = await world.worker();
    await worker.runUntilIdle();
    expect(await world.target(id)).toMatchObject({ state: 'waiting', attempts: 1 });
    await stop(opened, id);
    await world.settle(worker, id);
    expect(await world.target(id)).toMatchObject({ state: 'failed', code: 'stopped', trouble: null });
    expect(await world.simulator.published()).toEqual([]);
  });

  const failing = (method: string, times: number) => ({
    when: (request: { method: string; path: string }) => request.method === method && /\/tweets$/.test(request.path),
    times,
    fault: { kind: 'status', answer: { status: 503, headers: {}, body: {} } } as const,
  });

  test.each([
    ['posted', 'finds the post', 1, { state: 'posted' }],
    ['failed', 'fails, too', 9, { state: 'failed', code: 'outcome_unknown' }],
  ] as const)('ends as %s if the last verification %s', async (_, __, failures, end) => {
    world = await createWorld({ connector: x, module: xSimulator });
    world.simulator.faults.add({ ...failing('POST', 1), fault: { kind: 'reset-after' } });
    world.simulator.faults.add(failing('GET', failures));
    const id = await world.post();
    const worker = await world.worker();
    for (let wait = 0; wait < 20 && (await world.target(id)).state !== 'unknown'; wait++) {
      await worker.runUntilIdle();
      if ((await world.target(id)).state !== 'unknown') await world.advanceToNextDue();
    }
    expect(await world.target(id)).toMatchObject({ state: 'unknown', looks: 1 });
    await world.advance(5 * MINUTE);
    await stop(world, id);
    await worker.runUntilIdle();
    expect(await world.target(id)).toMatchObject(end);
    expect(await world.simulator.published()).toHaveLength(1);
  });
});
