import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/telegram/index.ts';
import { BROKEN, neverResent } from '../suites/exactly-once.ts';
import { filmOf } from './films.ts';
import { isSend, nthSend, once, startTelegram } from './telegram-driver.ts';
import { move, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest(startTelegram);

neverResent({
  ...once,
  async begin() {
    const drive = await start();
    return { drive, work: await drive.work('once') };
  },
});

describe('Telegram upload to the storage chat', () => {
  test.each(Object.entries({ ...BROKEN, ...once.faults }))('is repeated when it %s', async (_name, fault) => {
    const telegram = await start();
    const work = await telegram.work('once');
    const strike = telegram.faults.add({ when: isSend, times: 1, fault });
    const walk = await walkThrough(telegram, work);
    expect([walk.state, strike.hits(), (await telegram.published()).length]).toEqual(['posted', 1, 1]);
  });
});

describe('Telegram send of unknown outcome', () => {
  test('is resent from the start when the owner decides', async () => {
    const telegram = await start();
    const work = await telegram.work('once');
    const ready = await walkTo(telegram, work, 'committing');
    telegram.faults.add({ when: isSend, times: 1, fault: { kind: 'reset-before' } });
    const unknown = await walkTo(telegram, work, 'unknown', ready);
    const decided = await move(telegram, work, { ...unknown, acceptDuplicate: true });
    expect(decided).toMatchObject({ state: 'waiting', checkpoint: null });
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
  test('is resent after the limit of a gateway', async () => {
    const telegram = await start();
    const work = await telegram.work('once');
    const fault: Fault = { kind: 'status', answer: { status: 429, body: '<html>' } };
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

test.each([1, 2])('a worker killed after step %i posts once', async (crashAt) => {
  const telegram = await start();
  const walk = await walkThrough(telegram, await telegram.work('once'), { crashAt });
  expect([walk.state, (await telegram.published()).length]).toEqual(['posted', 1]);
});
