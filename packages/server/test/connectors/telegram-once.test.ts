import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/telegram/index.ts';
import * as decide from '../../src/publishing/decide.ts';
import type { Target } from '../../src/publishing/target.ts';
import { filmOf } from './films.ts';
import { BROKEN } from './odd-answers.ts';
import { isSend, nthSend, startTelegram } from './telegram-driver.ts';
import { move, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest(startTelegram);

const FAULTS: Record<string, Fault> = {
  ...BROKEN,
  'is answered with 403 by HTML': { kind: 'status', answer: { status: 403, body: '<html>No</html>' } },
};

describe('Telegram upload to the storage chat', () => {
  test.each(Object.entries(FAULTS))('is repeated when it %s', async (_name, fault) => {
    const telegram = await start();
    const work = await telegram.work('once');
    const strike = telegram.faults.add({ when: isSend, times: 1, fault });
    const walk = await walkThrough(telegram, work);
    expect([walk.state, strike.hits(), (await telegram.published()).length]).toEqual(['posted', 1, 1]);
  });
});

describe('Telegram send of unknown outcome', () => {
  test.each(Object.entries(FAULTS))('is never resent when it %s', async (_name, fault) => {
    const telegram = await start();
    const work = await telegram.work('once');
    const prepared = await walkTo(telegram, work, 'committing');
    telegram.faults.add({ when: isSend, times: 1, fault });
    const walk = await walkThrough(telegram, work, { from: prepared, maxMoves: 5 });
    expect([walk.state, walk.code]).toEqual(['failed', 'outcome_unknown']);
    expect(walk.notes.at(-1)).toBe('Telegram lets no bot see what a channel shows.');
    expect(telegram.requests.filter(isSend)).toHaveLength(2);
    const acted = fault.kind === 'reset-after' || ('acted' in fault && fault.acted === true);
    expect(await telegram.published()).toHaveLength(acted ? 1 : 0);
  });

  test('ends at the first verification and notifies the owner', async () => {
    const target = { state: 'unknown', looks: 0, unknownSince: 1_000, acceptDuplicate: false } as Target;
    const { settle, completeWithoutIdMs } = connector;
    const moment = { now: 1_000, random: () => 0.5 };
    const next = decide.afterLook(target, await connector.verify(), settle, completeWithoutIdMs, moment);
    expect(next.target).toMatchObject({ state: 'failed', code: 'outcome_unknown' });
    expect(next.entries[0]?.text).toContain('Look there before you try again');
  });

  test('is resent from the start when the owner decides', async () => {
    const target = { state: 'unknown', looks: 0, unknownSince: 1_000, acceptDuplicate: true, checkpoint: {} } as Target;
    const { settle, completeWithoutIdMs } = connector;
    const moment = { now: 1_000, random: () => 0.5 };
    const next = decide.afterLook(target, await connector.verify(), settle, completeWithoutIdMs, moment);
    expect(next.target).toMatchObject({ state: 'waiting', checkpoint: null });
  });
});

describe('Telegram without a storage chat', () => {
  test.each([0, 10, 1_000_000])('repeats an upload that breaks off after %i bytes', async (afterBytes) => {
    const telegram = await start({ storage: false });
    const work = await telegram.work('once', { media: filmOf(20_000_000) });
    telegram.faults.add({ when: isSend, times: 1, fault: { kind: 'reset-before', afterBytes } });
    const walk = await walkThrough(telegram, work);
    expect([walk.state, walk.sendKey, (await telegram.published()).length]).toEqual(['posted', 2, 1]);
  });

  test('does not resend after the last byte was sent', async () => {
    const telegram = await start({ storage: false });
    const work = await telegram.work('once');
    telegram.faults.add({ when: isSend, times: 1, fault: { kind: 'reset-after' } });
    const walk = await walkThrough(telegram, work, { maxMoves: 6 });
    expect([walk.state, walk.code, telegram.requests.filter(isSend).length]).toEqual(['failed', 'outcome_unknown', 1]);
    expect(await telegram.published()).toHaveLength(1);
  });

  test('holds the last byte until the lease is confirmed', async () => {
    const telegram = await start({ storage: false });
    const work = await telegram.work('once');
    const { checkpoint } = await walkTo(telegram, work, 'committing');
    const request = await connector.commit.request(work, checkpoint ?? {});
    let looks = 0;
    const sending = telegram.http.irreversible({ ...request }, { permit: () => ++looks < 2 });
    await expect(sending).rejects.toMatchObject({ reason: 'lease_lost', sent: 'no' });
    expect([looks, await telegram.published()]).toEqual([2, []]);
  });
});

describe('Telegram send proven to have no effect', () => {
  test.each([
    ['a limit with a wait', { kind: 'refusal', refusal: 'rate-limited-with-wait' }],
    ['a limit without one', { kind: 'refusal', refusal: 'rate-limited' }],
    ['a limit of a gateway', { kind: 'status', answer: { status: 429, body: '<html>' } }],
  ] as [string, Fault][])('is resent after %s', async (_name, fault) => {
    const telegram = await start();
    const work = await telegram.work('once');
    telegram.faults.add({ when: nthSend(2), times: 1, fault });
    const walk = await walkThrough(telegram, work);
    expect([walk.state, walk.sendKey, (await telegram.published()).length]).toEqual(['posted', 2, 1]);
  });

  test('includes a connection that was never established', async () => {
    const telegram = await start();
    const work = await telegram.work('once');
    const prepared = await walkTo(telegram, work, 'committing');
    const nowhere = { ...work, session: { ...work.session, service: 'http://127.0.0.1:1' } };
    const failed = await move(telegram, nowhere, prepared);
    expect([failed.state, failed.sendKey]).toEqual(['waiting', 2]);
    expect((await walkThrough(telegram, work, { from: failed })).state).toBe('posted');
    expect(await telegram.published()).toHaveLength(1);
  });
});

test.each([1, 2])('posts once when the worker is killed after step %i', async (crashAt) => {
  const telegram = await start();
  const walk = await walkThrough(telegram, await telegram.work('once'), { crashAt });
  expect([walk.state, (await telegram.published()).length]).toEqual(['posted', 1]);
});

test('posts at most once when killed while sending', async () => {
  const telegram = await start();
  const walk = await walkThrough(telegram, await telegram.work('once'), { crashAt: 3, maxMoves: 6 });
  expect([walk.state, walk.code, (await telegram.published()).length]).toEqual(['failed', 'outcome_unknown', 1]);
});
