/**
 * The exactly-once suite of a connector: each request of a publish fails in each way, workers are killed, and sends take
 * effect late. It runs the engine's transitions against the simulator, without a database, and a platform's driver names
 * the requests.
 */
import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import type { Fingerprint, JsonObject, Published, Work } from '../../src/connectors/contract.ts';
import type { Call } from '../connectors/drive.ts';
import { type Drive, failureOf, fingerprintOf, type Walk, walkThrough, walkTo } from '../connectors/walk.ts';
import { drawn, ONE_IN, seeded } from '../harness/draw.ts';
import type { RunningSimulator } from '../harness/simulator.ts';

/** Faults on the way there, on the way back, and in intermediaries. None of them proves the outcome of a request. */
export const BROKEN: Readonly<Record<string, Fault>> = {
  'is cut before it arrives': { kind: 'reset-before' },
  'is carried out and the response lost': { kind: 'reset-after' },
  'is carried out and answered with rubbish': { kind: 'garbage', acted: true },
  'is answered with rubbish': { kind: 'garbage', acted: false },
  'is answered with 500': { kind: 'refusal', refusal: 'server-error' },
  'is carried out and answered with 500': { kind: 'refusal', refusal: 'server-error', acted: true },
  'is answered with 502': { kind: 'status', answer: { status: 502, body: '<html>Bad gateway</html>' } },
  'is carried out and answered with 504': { kind: 'status', answer: { status: 504, body: '' }, acted: true },
  'is answered with 421': { kind: 'status', answer: { status: 421 } },
  'is redirected with 307': { kind: 'redirect', status: 307 },
  'is carried out and redirected with 308': { kind: 'redirect', status: 308, acted: true },
};

/** Faults that only delay a publish: an incomplete request, a slow response, a limit. */
const DELAYED = {
  'is cut in the middle': { kind: 'reset-before', afterBytes: 10 },
  'is answered slowly': { kind: 'slow-body', ms: 20 },
  'is refused for the rate': { kind: 'refusal', refusal: 'rate-limited' },
} as const satisfies Record<string, Fault>;

/** Refusals that not every platform knows, and those that it gives although it acted. */
const REFUSALS = {
  'is refused for the rate with a time': { kind: 'refusal', refusal: 'rate-limited-with-wait' },
  'is carried out and refused for the rate': { kind: 'refusal', refusal: 'rate-limited', acted: true },
  'is refused for the token': { kind: 'refusal', refusal: 'token-expired' },
  'is carried out and refused for the token': { kind: 'refusal', refusal: 'token-expired', acted: true },
} as const satisfies Record<string, Fault>;

type When = (call: Call & { nth: number }) => boolean;

/** What a platform's driver says about its requests. `Setting`: how accounts, videos and the simulator may differ. */
export interface OnceRequests<Setting> {
  /**
   * The requests of a publish, and the setting in which it makes them. `single`: another request, which a publish makes
   * only once despite the fault.
   */
  requests: readonly { name: string; when: When; setting?: Setting; single?: (call: Call) => boolean }[];
  refusals: readonly (keyof typeof REFUSALS)[];
  /** Faults of this platform alone. */
  faults?: Readonly<Record<string, Fault>>;
  /** The irreversible request, from the time that it is prepared. */
  send: (call: Call) => boolean;
  /** Creates what the send publishes. A send of unknown outcome never leads to another one. */
  creates?: (call: Call) => boolean;
  /** Calls after which a worker is killed, and the settings for it. */
  killed: { calls: number; settings?: readonly Setting[] };
  /** The note about signs of an earlier send, found before a second one. Absent: the platform refuses the second one. */
  doubts?: string;
  /** The setting of a send that takes effect unseen. The platform acts on every send there, if it can. */
  unseen?: Setting;
  /** Settings in which the platform refuses a second send that is already prepared, and the note about it. */
  refusesSecond?: { settings: readonly Setting[]; note?: string };
  /** The id of a post is found by its text alone. */
  idByText?: true;
  /** The list of posts that is read to verify a send without a checkpoint. */
  list?: { when: (call: Call) => boolean; matches?: Matches };
}

/** How a list shows that a post is ours. */
interface Matches {
  /** The result for this post. */
  found(post: Published): object;
  /** A post that is older than the send by this much is not ours. */
  olderMs: number;
  /** The duration is compared. */
  duration?: true;
  /** A part of the note when several posts match. */
  several?: string;
}

interface OnceDrive extends Drive, Pick<RunningSimulator, 'faults' | 'requests' | 'published'> {
  noResponse(at: 'before' | 'after'): Fault;
}

export interface Once<Setting, D extends OnceDrive> extends OnceRequests<Setting> {
  platform: string;
  begin(setting?: Setting): Promise<{ drive: D; work: Work }>;
  /** Errors that the platform gives to its send although it acted. */
  lies?: readonly { code: string; fault: Fault }[];
  /** Adds to the list what the simulator leaves out. */
  completeList?(drive: D): Promise<void>;
  /** Number of sends. Defaults to the requests that `send` matches. */
  sends?(drive: D): number;
  /** Checks more after a publish. */
  inspect?(drive: D, work: Work): Promise<void>;
  /** Checks more after a kill. */
  inspectKilled?(drive: D, crashAt: number): void;
}

/** Registers the tests. */
export function exactlyOnce<Setting, D extends OnceDrive>(once: Once<Setting, D>): void {
  const { platform, begin, requests, send, creates, killed, refusesSecond, list } = once;
  const created = (drive: D) => (creates ? drive.requests.filter(creates).length : 0);
  const sent = (drive: D) => once.sends?.(drive) ?? drive.requests.filter(send).length;
  /** The post exists once, and the walk reports it without a secret. */
  const isOnce = async (drive: D, work: Work, walk: Walk) => {
    const published = await drive.published();
    expect([walk.state, published.length]).toEqual(['posted', 1]);
    expect(walk.published?.remoteId).toBe(published[0]?.id);
    const secrets = Object.values(work.session.secret).filter((value) => typeof value === 'string' && value.length > 9);
    for (const secret of secrets) expect(walk.notes.join(' ')).not.toContain(secret);
    await once.inspect?.(drive, work);
  };
  /** Prepares a send and injects a fault into it. */
  const prepared = async (fault: (drive: D) => Fault, setting?: Setting) => {
    const { drive, work } = await begin(setting);
    const ready = await walkTo(drive, work, 'committing');
    const before = { created: created(drive), sent: sent(drive) };
    const strike = drive.faults.add({ when: send, times: 1, fault: fault(drive) });
    /** Runs to the end. @returns the walk and the number of sends */
    const end = async (from: Walk) => {
      const walk = await walkThrough(drive, work, { from, maxMoves: 300 });
      await isOnce(drive, work, walk);
      expect([strike.hits(), created(drive)]).toEqual([1, before.created]);
      return { walk, sends: sent(drive) - before.sent };
    };
    return { drive, work, ready, strike, end };
  };

  describe(seeded('exactly once'), () => {
    const refusals = once.refusals.map((what) => [what, REFUSALS[what]] as const);
    const faults = [...Object.entries({ ...BROKEN, ...DELAYED, ...once.faults }), ...refusals];
    const cases = requests.flatMap((request) => faults.map(([what, fault]) => ({ ...request, what, fault })));

    test.each(drawn(cases, ONE_IN.tables, platform))('posts once when the $name $what', async (each) => {
      const { drive, work } = await begin(each.setting);
      const strike = drive.faults.add({ when: each.when, times: 1, fault: each.fault });
      const walk = await walkThrough(drive, work);
      expect(strike.hits()).toBe(1);
      await isOnce(drive, work, walk);
      if (each.single) expect(drive.requests.filter(each.single)).toHaveLength(1);
    });

    const calls = Array.from({ length: killed.calls }, (_, index) => index + 1);
    test.each(drawn(calls, ONE_IN.moves, 'moves'))('posts once when killed after call %i', async (crashAt) => {
      for (const setting of killed.settings ?? [undefined]) {
        const { drive, work } = await begin(setting);
        await isOnce(drive, work, await walkThrough(drive, work, { crashAt }));
        once.inspectKilled?.(drive, crashAt);
      }
    });

    if (once.lies)
      test.each(once.lies)('posts once when the send fails with $code but worked', async ({ fault }) => {
        const { drive, work, ready } = await prepared(() => fault, once.unseen);
        await walkThrough(drive, work, { from: ready });
        expect(await drive.published()).toHaveLength(1);
      });

    test.each(['before', 'after'] as const)('posts once when the send gets no response %s acting', async (at) => {
      const { ready, end } = await prepared((drive) => drive.noResponse(at));
      expect((await end(ready)).sends).toBe(at === 'before' ? 2 : 1);
    });
  });

  describe('send that takes effect late', () => {
    const unanswered = (setting: Setting | undefined) => prepared(() => ({ kind: 'late-execution' }), setting);

    test('is found by the second verification', async () => {
      const { drive, work, ready, strike, end } = await unanswered(once.unseen);
      const looked = await walkTo(drive, work, ({ notPostedSince }) => notPostedSince !== null, ready);
      expect(looked.state).toBe('unknown');
      await strike.release();
      // A list may show a post a moment later.
      drive.clock.now += 2_000;
      expect((await end(looked)).sends).toBe(1);
    });

    test('is found when verification has missed it', async () => {
      const { drive, work, ready, strike, end } = await unanswered(once.unseen);
      const believed = await walkTo(drive, work, 'waiting', ready);
      expect(believed.state).toBe('waiting');
      await strike.release();
      const { walk, sends } = await end(believed);
      expect(sends).toBe(once.doubts ? 1 : 2);
      if (once.doubts) expect(walk.notes).toContain(once.doubts);
    });

    if (refusesSecond)
      test.each(refusesSecond.settings)('makes the platform refuse a second send %#', async (setting) => {
        const { drive, work, ready, strike, end } = await unanswered(setting);
        const again = await walkTo(drive, work, 'committing', await walkTo(drive, work, 'waiting', ready));
        expect([again.state, again.unproven]).toEqual(['committing', true]);
        await strike.release();
        const { walk, sends } = await end(again);
        expect(sends).toBe(2);
        if (refusesSecond.note) expect(walk.notes).toContain(refusesSecond.note);
      });
  });

  const lost = ['reset-before', ...(once.idByText ? [] : (['reset-after'] as const))] as const;
  test.each(lost)('verification distinguishes posts with the same text after %s', async (kind) => {
    const { drive, work } = await begin();
    const first = await walkThrough(drive, work);
    const other = { ...work, post: { ...work.post, targetId: '0193-other' } };
    const ready = await walkTo(drive, other, 'committing');
    drive.faults.add({ when: send, times: 1, fault: { kind } });
    const second = await walkThrough(drive, other, { from: ready });
    expect([first.state, second.state]).toEqual(['posted', 'posted']);
    const ids = (await drive.published()).map(({ id }) => id);
    expect([first.published?.remoteId, second.published?.remoteId].sort()).toEqual(ids.sort());
    expect(new Set(ids).size).toBe(2);
  });

  if (list)
    test.each([
      { kind: 'refusal', refusal: 'server-error' },
      { kind: 'garbage', acted: false },
    ] as const)('verification that fails by $kind decides nothing', async (fault) => {
      const { drive, work } = await begin();
      drive.faults.add({ when: list.when, fault });
      const verifying = drive.connector.verify(work, null, fingerprintOf(work, drive.clock.now));
      expect(await failureOf(verifying)).toMatchObject({ kind: 'transient' });
    });

  const matches = list?.matches;
  if (matches)
    test('verification finds a single post without a checkpoint', async () => {
      const { drive, work: begun } = await begin();
      const text = `Sunset  run #sea ${'and so on '.repeat(30)}`.trim();
      const work = { ...begun, post: { ...begun.post, text } };
      const since = drive.clock.now;
      const look = (changes: Partial<Fingerprint> = {}, checkpoint: JsonObject | null = null) => {
        const asked = { ...work, post: { ...work.post, text: changes.text ?? text } };
        return drive.connector.verify(asked, checkpoint, { ...fingerprintOf(asked, since), ...changes });
      };
      expect((await look()).then).toBe('stillUnknown');
      const { published } = await walkThrough(drive, work);
      if (!published) throw new Error('It was not posted.');
      await once.completeList?.(drive);
      expect(await look()).toMatchObject(matches.found(published));
      const others: Partial<Fingerprint>[] = [
        { text: 'Sunset run' },
        { text: '  ' },
        { committedAt: drive.clock.now + matches.olderMs },
        ...(matches.duration ? [{ durationMs: 33_000 }] : []),
      ];
      for (const other of others) expect((await look(other)).then, JSON.stringify(other)).toBe('stillUnknown');
      await walkThrough(drive, work);
      await once.completeList?.(drive);
      for (const checkpoint of [null, {}]) {
        const result = await look({}, checkpoint);
        expect(result).toMatchObject({ then: 'stillUnknown' });
        expect(JSON.stringify(result)).toContain(matches.several ?? '');
      }
    });
}

export interface Blind extends Pick<OnceRequests<never>, 'send' | 'refusals' | 'faults'> {
  begin(): Promise<{ drive: OnceDrive; work: Work }>;
  /** What the verification notes. */
  note: string;
}

/** Registers the tests of a send that nothing can verify: its outcome is reported as unknown, without a second send. */
export function neverResent({ begin, send, refusals, faults, note }: Blind): void {
  const { 'is answered slowly': slow, 'is refused for the rate': _, ...cut } = DELAYED;
  const unanswered = Object.entries<Fault>({ ...BROKEN, ...cut, ...faults });
  const prepared = async (fault: Fault) => {
    const { drive, work } = await begin();
    const ready = await walkTo(drive, work, 'committing');
    const before = drive.requests.length;
    const strike = drive.faults.add({ when: send, times: 1, fault });
    const end = async (crashAt?: number) => {
      const walk = await walkThrough(drive, work, { from: ready, crashAt });
      expect(strike.hits()).toBe(1);
      return { walk, asked: drive.requests.length - before, published: (await drive.published()).length };
    };
    return { end };
  };
  const isUnknown = ({ walk, asked }: { walk: Walk; asked: number }) => {
    expect(walk).toMatchObject({ state: 'failed', code: 'outcome_unknown', verifications: 1 });
    expect(walk.detail).toContain('Check there before you retry');
    expect([walk.notes.at(-1), asked]).toEqual([note, 1]);
  };

  describe(seeded('send that cannot be verified'), () => {
    test.each(drawn(unanswered, ONE_IN.moves, note))('is not resent when it %s', async (_what, fault) => {
      const { end } = await prepared(fault);
      const result = await end();
      isUnknown(result);
      const acted = fault.kind === 'reset-after' || ('acted' in fault && fault.acted === true);
      expect(result.published).toBe(acted ? 1 : 0);
    });

    test('is not resent after its worker was killed', async () => {
      const { end } = await prepared(slow);
      const result = await end(1);
      isUnknown(result);
      expect(result.published).toBe(1);
    });

    test('is posted when it is answered slowly', async () => {
      const { end } = await prepared(slow);
      const { walk, published } = await end();
      expect([walk.state, walk.sendKey, published]).toEqual(['posted', 1, 1]);
    });

    test.each(['is refused for the rate', ...refusals] as const)('is resent when it %s', async (what) => {
      const { end } = await prepared({ ...DELAYED, ...REFUSALS }[what]);
      const { walk, published } = await end();
      expect([walk.state, walk.sendKey, published]).toEqual(['posted', 2, 1]);
    });
  });
}
