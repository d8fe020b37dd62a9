/**
 * The conformance suite for one connector: crashes and faults at every request of a publish. Cases run concurrently in
 * separate worlds.
 */
import { afterAll, describe, expect, type TaskMeta, test } from 'vitest';
import type { FoundConnector } from '../harness/connectors.ts';
import { drawn, FULL, ONE_IN, SEED, sampled, seeded } from '../harness/draw.ts';
import { platformFolders } from '../harness/platforms.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';
import { createWorlds } from '../harness/worlds.ts';
import {
  broken,
  crashAt,
  discover,
  equalTexts,
  FAULTS,
  type FaultCase,
  faultAt,
  faultIn,
  isBlind,
  isPerfectLie,
  listedFaults,
  MOMENTS,
  type Moment,
  type PublishedRequest,
  restsWell,
} from './connector.ts';
import { type CaseKind, reportEnd, reportedAs } from './reported-cases.ts';

/** Enough to keep a core busy while others wait for the database. A sample has too few cases to repay more worlds. */
const AT_ONCE = FULL ? 4 : 2;
/** How far a platform's clock is ahead of ours, in minutes: within and beyond what connectors tolerate. */
const CLOCKS_AHEAD = [-20, -11, -4, 11];
/** How far the clocks of two workers are ahead of the database's, in ms. */
const WORKERS_AHEAD_MS = [11 * 60_000, -11 * 60_000];
/** The maximum length of a stored message, with its event and the texts around it. */
const MAX_LINE = 1_200;
/** How long a platform processes a video, in ms. */
const PROCESSING_MS = 20_000;
/** Large enough for uploads in several parts, in bytes. */
const LARGE_BYTES = 21_000_000;

/** A fault at a request of a publish. */
interface FaultAt {
  request: PublishedRequest;
  fault: FaultCase;
}

/**
 * The faults to inject into the requests: a sample drawn by the seed, without faults that claim an effect of a read-only
 * request. REELAY_TEST_FULL=1: all of them.
 */
function faultsOf(requests: readonly PublishedRequest[], faults: readonly FaultCase[], salt: string) {
  const hasEffect = ({ fault }: FaultCase) =>
    typeof fault !== 'function' && (('acted' in fault && fault.acted === true) || AFTERWARDS.has(fault.kind));
  const all = requests.flatMap((request) => faults.map((fault): FaultAt => ({ request, fault })));
  return drawn(
    all.filter(({ request, fault }) => FULL || request.method !== 'GET' || !hasEffect(fault)),
    ONE_IN.faults,
    salt,
  );
}

/** Requests rotate through the moments; the irreversible one covers all. REELAY_TEST_FULL=1: each covers all. */
function momentsAt(requests: readonly PublishedRequest[], { index }: PublishedRequest, salt = ''): readonly Moment[] {
  if (FULL) return drawn(MOMENTS, 1, `moments ${salt} ${index}`);
  if (sends(requests).at(-1)?.index === index) return MOMENTS;
  const first = (index + SEED) % MOMENTS.length;
  return MOMENTS.slice(first, first + 1);
}

/** All platforms, and this one if it is not among them: an example. */
const platformsWith = (platform: string) => [...new Set([...platformFolders(), platform])];

/** Whether cases of this platform are drawn in a setting in which all platforms behave alike. */
function isSampled(platform: string, salt: string): boolean {
  return sampled(platformsWith(platform), ONE_IN.platforms, salt).includes(platform);
}

/** The last request that is not read-only is the irreversible one. REELAY_TEST_FULL=1: all that are not read-only. */
function sends(requests: readonly PublishedRequest[]): readonly PublishedRequest[] {
  const found = requests.filter(({ method }) => method !== 'GET');
  return FULL ? found : found.slice(-1);
}

const AFTERWARDS: ReadonlySet<string> = new Set(['reset-after', 'timeout-after', 'late-execution']);

/** Discovers the requests of a publish by running some, and registers a test for each case. */
export async function conformance({ connector, module }: FoundConnector): Promise<void> {
  /** Worlds of one kind, and the requests of a publish there. */
  const setting = async (options: Partial<WorldOptions>, atOnce = AT_ONCE) => {
    const worlds = createWorlds({ connector, module, ...options }, atOnce);
    return { ...worlds, requests: await worlds.run(discover) };
  };
  const usual = await setting({});
  const large = isSampled(connector.id, 'large') ? await setting({ video: { bytes: LARGE_BYTES } }, 2) : null;
  const variants = await Promise.all(
    sampled(module.variants ?? [], module.variants?.length ?? 1, connector.id).map(async (variant) => ({
      name: variant.name,
      ...(await setting({ variant }, 2)),
    })),
  );
  const clocks = await Promise.all(
    (isSampled(connector.id, 'clocks') ? drawn(CLOCKS_AHEAD, CLOCKS_AHEAD.length, connector.id) : []).map(
      async (minutes) => ({
        minutes,
        ...(await setting({ platformAheadMs: minutes * 60_000 }, 1)),
      }),
    ),
  );
  const isApart = drawn(platformsWith(connector.id), ONE_IN.platforms, 'apart').includes(connector.id);
  const apart = isApart ? await setting({ workersAheadMs: WORKERS_AHEAD_MS }, 1) : null;
  const settings = [usual, ...(large ? [large] : []), ...variants, ...clocks, ...(apart ? [apart] : [])];
  const of = (kind: CaseKind) => reportedAs(connector.name, kind);
  const faults = [
    ['faults', faultsOf(usual.requests, FAULTS, `faults ${connector.id}`)],
    ['answers', faultsOf(usual.requests, listedFaults(connector), `answers ${connector.id}`)],
  ] as const;

  describe(connector.name, () => {
    afterAll(async () => {
      for (const each of settings) await each.close();
    });

    describe.concurrent(seeded('crashes and faults'), () => {
      for (const request of usual.requests) {
        const { index, method, path } = request;
        describe(`${index}. ${method} ${path}`, () => {
          test.for(momentsAt(usual.requests, request))(
            'a worker that dies %s leaves one post',
            of('moments'),
            (moment, { task }) => usual.run((world) => leavesOnePost(task.meta, world, index, moment)),
          );
          for (const [kind, cases] of faults)
            test.for(cases.filter((each) => each.request === request).map(({ fault }) => fault))(
              '$name: posted once, or the failure is reported',
              of(kind),
              (fault, { task }) => usual.run((world) => isSaidAsItIs(task.meta, world, index, fault)),
            );
        });
      }

      // A multipart upload, which has more requests.
      if (large && large.requests.length > usual.requests.length)
        for (const request of sampled(large.requests, ONE_IN.parts, 'parts')) {
          const { index, method, path } = request;
          test.for(momentsAt(large.requests, request, 'parts'))(
            `multipart, ${index}. ${method} ${path}: dying %s leaves one post`,
            of('parts'),
            (moment, { task }) => large.run((world) => leavesOnePost(task.meta, world, index, moment)),
          );
        }

      for (const { index, method, path } of drawn(usual.requests, ONE_IN.texts, `texts ${connector.id}`))
        test(`dying at ${index}. ${method} ${path} creates both equal posts`, of('texts'), ({ task }) =>
          usual.run(async (world) => {
            for (const result of await equalTexts(world, index)) {
              expect(restsWell(world, result), result.timeline.join('\n')).toBe(true);
              expect(result.published).toBe(2);
              reportEnd(task.meta, { ...result, published: 1 });
            }
          }),
        );

      for (const { name, requests, run } of variants)
        for (const request of sampled(requests, ONE_IN.variants, name)) {
          const { index, method, path } = request;
          test.for(momentsAt(requests, request, name))(
            `${name}, ${index}. ${method} ${path}: dying %s leaves one post`,
            of('variants'),
            (moment, { task }) => run((world) => leavesOnePost(task.meta, world, index, moment)),
          );
        }
    });

    for (const { minutes, requests, run } of clocks)
      test.for(sends(requests))(
        seeded(`platform clock ${minutes} min ahead: lost $method $path is verified`),
        of('clocks'),
        (request, { task }) =>
          run((world) =>
            isSaidAsItIs(task.meta, world, request.index, { name: 'lost', fault: { kind: 'reset-after' } }),
          ),
      );

    for (const { index, method, path } of apart ? sends(apart.requests) : [])
      test.for(MOMENTS)(
        seeded(`clocks 22 min apart, ${method} ${path}: dying %s posts once`),
        of('clocks'),
        (moment, { task }) => apart?.run((world) => leavesOnePost(task.meta, world, index, moment)),
      );

    test('a platform that processes for a while causes no retries', async () => {
      const world = await createWorld({ connector, module, simulator: { processingMs: PROCESSING_MS } });
      try {
        await expect(discover(world)).resolves.not.toHaveLength(0);
        expect(world.bugs).toEqual([]);
      } finally {
        await world.close();
      }
    });

    test('no unexpected errors', async () => {
      const worlds = (await Promise.all(settings.map((each) => each.all()))).flat();
      expect(worlds.flatMap((each) => each.bugs)).toEqual([]);
      expect(worlds.flatMap((each) => each.simulator.errors)).toEqual([]);
    });
  });
}

/** Whether a line of a timeline has control characters or is too long to read. */
function isUnfit(line: string): boolean {
  return line.length > MAX_LINE || /[\p{Cc}\p{Cs}]/u.test(line);
}

async function leavesOnePost(meta: TaskMeta, world: World, index: number, moment: Moment): Promise<void> {
  const result = await crashAt(world, index, moment);
  expect(broken(result)).toBeNull();
  expect(restsWell(world, result), result.timeline.join('\n')).toBe(true);
  reportEnd(meta, result);
}

async function isSaidAsItIs(meta: TaskMeta, world: World, index: number, given: FaultCase) {
  const fault = faultIn(world, given);
  const result = await faultAt(world, index, fault, { releaseAfterMs: given.releaseAfterMs });
  expect(broken(result, isPerfectLie(world, fault), isBlind(world.connector))).toBeNull();
  expect(result.timeline.filter(isUnfit)).toEqual([]);
  reportEnd(meta, result);
}
