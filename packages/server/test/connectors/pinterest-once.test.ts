import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/pinterest/index.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import { exactlyOnce } from '../suites/exactly-once.ts';
import { isList, isPin, isPoll, isRegister, once, type Pinterest, startPinterest } from './pinterest-driver.ts';
import { fingerprintOf, type Walk, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startPinterest({ processingMs: 1_500, ...overrides }),
);

const count = ({ requests }: Pinterest, when: (call: { method: string; path: string }) => boolean) =>
  requests.filter(when).length;
const outcome = async (pinterest: Pinterest, walk: Walk) => [walk.state, (await pinterest.published()).length];
const lostResponse = (pinterest: Pinterest) =>
  pinterest.faults.add({ when: isPin, times: 1, fault: { kind: 'reset-after' } });

exactlyOnce({
  ...once,
  platform: connector.id,
  async begin() {
    const drive = await start();
    return { drive, work: await drive.work('once') };
  },
});

describe('Pinterest send', () => {
  test.each(['rate-limited', 'token-expired'] as const)(
    'does not resend when the pin exists despite %s',
    async (refusal) => {
      const pinterest = await start();
      const work = await pinterest.work('once');
      pinterest.faults.add({ when: isPin, times: 1, fault: { kind: 'refusal', refusal, acted: true } });
      const walk = await walkThrough(pinterest, work);
      expect(await outcome(pinterest, walk)).toEqual(['posted', 1]);
      expect(walk.published?.remoteId).toBe((await pinterest.published())[0]?.id);
      expect(count(pinterest, isPin)).toBe(1);
    },
  );

  test('does not resend when the pin has no identifying text', async () => {
    const pinterest = await start();
    const work = await pinterest.work('🏃');
    pinterest.faults.add({ when: isPin, times: 1, fault: { kind: 'refusal', refusal: 'rate-limited', acted: true } });
    const walk = await walkThrough(pinterest, work);
    expect(await outcome(pinterest, walk)).toEqual(['failed', 1]);
    expect(walk.code).toBe('outcome_unknown');
    expect(count(pinterest, isPin)).toBe(1);
  });

  const gone: Fault = { kind: 'status', answer: { status: 404, body: { code: 50, message: 'Media not found' } } };

  test('verifies, then uploads again when the media is gone', async () => {
    const pinterest = await start();
    const work = await pinterest.work('once');
    const ready = await walkTo(pinterest, work, 'committing');
    pinterest.faults.add({ when: isPin, times: 1, fault: { kind: 'refusal', refusal: 'rate-limited' } });
    const id = String(ready.checkpoint?.mediaId);
    pinterest.faults.add({ when: (call) => isPoll(call) && call.path.includes(id), fault: gone });
    const looked = await walkTo(pinterest, work, 'unknown', ready);
    expect(looked.notes.at(-1)).toContain('no longer knows the upload');
    const walk = await walkThrough(pinterest, work, { from: looked });
    expect(await outcome(pinterest, walk)).toEqual(['posted', 1]);
    expect([count(pinterest, isRegister), count(pinterest, isPin)]).toEqual([2, 2]);
  });

  test('finds the pin when the media is gone after success', async () => {
    const pinterest = await start();
    const work = await pinterest.work('once');
    const ready = await walkTo(pinterest, work, 'committing');
    pinterest.faults.add({ when: isPin, times: 1, fault: { kind: 'refusal', refusal: 'rate-limited', acted: true } });
    pinterest.faults.add({ when: isPoll, fault: gone });
    const walk = await walkThrough(pinterest, work, { from: ready });
    expect(await outcome(pinterest, walk)).toEqual(['posted', 1]);
    expect([count(pinterest, isRegister), count(pinterest, isPin)]).toEqual([1, 1]);
  });

  test('ignores an old pin with our text that appears late', async () => {
    const pinterest = await start();
    const work = await pinterest.work('once');
    const ready = await walkTo(pinterest, work, 'committing');
    pinterest.faults.add({ when: isPin, times: 1, fault: { kind: 'refusal', refusal: 'rate-limited' } });
    await pinterest.pinByHand({ description: 'once', createdAt: pinterest.clock.now - 30 * 3_600_000 });
    const walk = await walkThrough(pinterest, work, { from: ready });
    expect([walk.state, count(pinterest, isPin), walk.unproven]).toEqual(['posted', 2, false]);
  });

  test('ignores pins made by others while the send waited', async () => {
    const pinterest = await start();
    const work = await pinterest.work('once');
    const ready = await walkTo(pinterest, work, 'committing');
    // The send is not made, as while another post with the same text is unverified; it is prepared again a minute
    // later.
    const before = await walkTo(pinterest, work, ({ checkpoint }) => checkpoint?.ready === true);
    expect(ready.checkpoint?.seen).toEqual([]);
    const other = await pinterest.pinByHand({ description: 'once' });
    pinterest.clock.now += 60_000;
    lostResponse(pinterest);
    const walk = await walkThrough(pinterest, work, { from: before });
    expect(walk.state).toBe('posted');
    expect(walk.published?.remoteId).not.toBe(other.id);
    expect(count(pinterest, isPin)).toBe(1);
  });

  test('slows down when Pinterest rejects the pin with unknown errors', async () => {
    const pinterest = await start();
    const work = await pinterest.work('never');
    const fault: Fault = { kind: 'status', answer: { status: 400, body: { code: 999, message: 'Something new' } } };
    pinterest.faults.add({ when: isPin, fault });
    const began = pinterest.clock.now;
    await walkTo(pinterest, work, () => pinterest.clock.now - began > 86_400_000);
    expect(await pinterest.published()).toEqual([]);
    expect(count(pinterest, isPin)).toBeLessThan(25);
  });

  test('slows down when Pinterest cannot use a ready video', async () => {
    const pinterest = await start();
    const work = await pinterest.work('never');
    const fault: Fault = { kind: 'status', answer: { status: 404, body: { code: 50, message: 'Media not found' } } };
    pinterest.faults.add({ when: isPin, fault });
    const began = pinterest.clock.now;
    await walkTo(pinterest, work, () => pinterest.clock.now - began > 86_400_000);
    expect(count(pinterest, isPin)).toBeLessThan(35);
  });

  test('posts once with lagging, reversed, or other-zone lists', async () => {
    const pinterest = await start();
    await pinterest.set({ listLagMs: 60_000, oldestFirst: true, zoneMs: -28_800_000 });
    await pinterest.connect();
    await pinterest.pinByHand({ description: 'once' });
    pinterest.clock.now += 60_000;
    const work = await pinterest.work('once');
    lostResponse(pinterest);
    expect(await outcome(pinterest, await walkThrough(pinterest, work))).toEqual(['posted', 1]);
  });
});

describe('Pinterest send of unknown outcome', () => {
  /** Sends a pin without effect and loses its response. */
  async function unproven(pinterest: Pinterest, text = 'Sunset run', options = {}) {
    const work = await pinterest.work(text, { options });
    pinterest.faults.add({ when: isPin, times: 1, fault: { kind: 'reset-before' } });
    const ready = await walkTo(pinterest, work, 'committing');
    const checkpoint = ready.checkpoint ?? {};
    const since = pinterest.clock.now;
    const look = () => connector.verify(work, checkpoint, fingerprintOf(work, since));
    return { work, look, since, checkpoint };
  }

  test('is matched by text regardless of spacing and punctuation', async () => {
    const pinterest = await start();
    const { look } = await unproven(pinterest, 'Sunset  run\n#Sea!');
    expect(await look()).toMatchObject({ then: 'notPosted', checkpoint: { armed: true } });
    const pin = await pinterest.pinByHand({ description: 'sunset run #sea' });
    expect(await look()).toMatchObject({ then: 'posted', published: { remoteId: pin.id } });
  });

  test('is not matched by existing, foreign, or different pins', async () => {
    const pinterest = await start();
    await pinterest.connect();
    await pinterest.pinByHand({ description: 'Sunset run' });
    const { look } = await unproven(pinterest);
    const secret = (await pinterest.boards()).find(({ privacy }) => privacy === 'SECRET')?.id;
    await pinterest.pinByHand({ description: 'Sunset run', boardId: secret });
    await pinterest.pinByHand({ description: 'Sunset run and more' });
    await pinterest.pinByHand({ description: 'Sunset run', createdAt: pinterest.clock.now - 27 * 3_600_000 });
    expect((await look()).then).toBe('notPosted');
  });

  test('is matched among several only by its link', async () => {
    const pinterest = await start();
    const { look } = await unproven(pinterest, 'Sunset run', { link: 'https://example.org/b' });
    await pinterest.pinByHand({ description: 'Sunset run', link: 'https://example.org/a' });
    const ours = await pinterest.pinByHand({ description: 'Sunset run', link: 'https://example.org/b' });
    expect(await look()).toMatchObject({ then: 'posted', published: { remoteId: ours.id } });
    await pinterest.pinByHand({ description: 'Sunset run', link: 'https://example.org/b' });
    expect(await look()).toMatchObject({ then: 'stillUnknown', note: { code: 'several_matches' } });
  });

  test('stays unknown when one match has another link', async () => {
    const pinterest = await start();
    const { look } = await unproven(pinterest, 'Sunset run', { link: 'https://example.org/b?x=1' });
    const other = await pinterest.pinByHand({ description: 'Sunset run', link: 'https://example.org/a' });
    expect(await look()).toMatchObject({ then: 'stillUnknown', note: { code: 'pinterest.match_with_other_link' } });
    await pinterest.store.change<object>('pin', other.id, (pin) => pin && { ...pin, link: 'https://EXAMPLE.org/b/' });
    expect(await look()).toMatchObject({ then: 'posted', published: { remoteId: other.id } });
  });

  test('is matched by title and description', async () => {
    const pinterest = await start();
    const { look } = await unproven(pinterest, 'Sunset run', { title: 'Part 2' });
    await pinterest.pinByHand({ description: 'Sunset run', title: 'Part 1' });
    expect((await look()).then).toBe('notPosted');
    await pinterest.pinByHand({ description: 'Sunset run', title: 'Part 2' });
    expect((await look()).then).toBe('posted');
  });

  test.each(['', '🏃🌅'])('is never matched by the text "%s"', async (text) => {
    const pinterest = await start();
    const { look } = await unproven(pinterest, text);
    expect((await look()).then).toBe('notPosted');
    await pinterest.pinByHand({ description: text || null });
    expect((await look()).then).toBe('stillUnknown');
  });

  test('searches many pages and stays unknown beyond the maximum', async () => {
    const pinterest = await start();
    const { look } = await unproven(pinterest);
    const ours = await pinterest.pinByHand({ description: 'Sunset run' });
    for (let index = 0; index < 250; index++) await pinterest.pinByHand({ description: 'another' });
    const before = count(pinterest, isList);
    expect(await look()).toMatchObject({ then: 'posted', published: { remoteId: ours.id } });
    expect(count(pinterest, isList) - before).toBe(2);
    let page = 0;
    const fault: Fault = {
      kind: 'status',
      get answer() {
        page++;
        return { status: 200, body: { items: [], bookmark: `page ${page}` } };
      },
    };
    pinterest.faults.add({ when: isList, fault });
    expect(await look()).toMatchObject({ then: 'stillUnknown', note: { code: 'list_too_long' } });
    expect(page).toBe(10);
  });

  test('is matched by time without a checkpoint, unless unclear', async () => {
    const pinterest = await start();
    const { work, since } = await unproven(pinterest);
    const look = () => connector.verify(work, null, fingerprintOf(work, since));
    expect(await look()).toMatchObject({ then: 'notPosted', checkpoint: null });
    const ours = await pinterest.pinByHand({ description: 'Sunset run' });
    expect(await look()).toMatchObject({ then: 'posted', published: { remoteId: ours.id } });
    await pinterest.pinByHand({ description: 'Sunset run', createdAt: since - 8 * 3_600_000 });
    expect(await look()).toMatchObject({ then: 'stillUnknown', note: { code: 'pinterest.match_of_unclear_age' } });
    const nowhere = { ...work, session: { ...work.session, choices: {} } };
    expect((await connector.verify(nowhere, null, fingerprintOf(work, since))).then).toBe('stillUnknown');
  });

  test('reports the creation time only when it is plausible', async () => {
    const pinterest = await start();
    await pinterest.set({ zoneMs: -28_800_000 });
    const work = await pinterest.work('zone');
    lostResponse(pinterest);
    const walk = await walkThrough(pinterest, work);
    expect(walk.published).toMatchObject({ remoteId: expect.any(String), publishedAt: null });
  });

  test.each([
    ['refuses', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['answers with a page', { kind: 'garbage', acted: false }, 'transient'],
    [
      'has no such board any more',
      { kind: 'status', answer: { status: 404, body: { code: 40, message: 'Board not found.' } } },
      'setup',
    ],
    ['answers with no items', { kind: 'status', answer: { status: 200, body: { items: null } } }, 'transient'],
  ] as const)('is not decided when the list %s', async (_name, fault, kind) => {
    const pinterest = await start();
    const { look } = await unproven(pinterest);
    pinterest.faults.add({ when: isList, fault });
    await expect(look()).rejects.toMatchObject({ failure: { kind } });
  });

  test('is read back when confirmed', async () => {
    const pinterest = await start();
    const work = await pinterest.work('there');
    const { published } = await walkThrough(pinterest, work);
    const confirmed = await connector.confirm(work, { pinId: published?.remoteId ?? '' });
    expect(confirmed).toMatchObject({ then: 'posted', published: { remoteId: published?.remoteId } });
  });
});
