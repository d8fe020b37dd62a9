/**
 * The cases of the conformance suite. Regardless of which request fails and how, a target ends posted exactly once, or
 * not posted with a reason. The requests of a publish are discovered by running one, so a new connector is covered
 * automatically.
 */
import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import type { Connector, Json, JsonObject } from '../../src/connectors/contract.ts';
import { redactUrl } from '../../src/outbound/http-client.ts';
import { provenBy } from '../../src/publishing/send.ts';
import type { TestWorker } from '../harness/test-worker.ts';
import type { World } from '../harness/world.ts';

/** When a worker is cut off, relative to one request. */
export const MOMENTS = [
  'before it was sent',
  'after it was sent, before the response',
  'after the response, before it was noted',
] as const;
export type Moment = (typeof MOMENTS)[number];

export interface PublishedRequest {
  /** Number of the request within one publish, from 1. */
  index: number;
  method: string;
  /** Without the query and possible tokens. */
  path: string;
}

/** Runs one publish without faults and returns its requests. */
export async function discover(world: World): Promise<PublishedRequest[]> {
  const before = world.simulator.requests.length;
  const id = await world.post({ text: nextText() });
  await world.settle(await world.worker(), id);
  const row = await world.target(id);
  if (row.state !== 'posted')
    throw new Error(`An undisturbed publish ended ${row.state} (${row.code}: ${row.detail}).`);
  const timeline = await world.timeline(id);
  // The user would be shown that the platform has an error.
  if (timeline.some((line) => /^(retry|unknown)\b/.test(line)))
    throw new Error(`An undisturbed publish was retried: ${timeline.join(', ')}.`);
  return world.simulator.requests
    .slice(before)
    .map(({ method, path }, index) => ({ index: index + 1, method, path: shownPath(path) }));
}

function shownPath(path: string): string {
  return redactUrl(`http://simulator${path}`).replace('http://simulator', '');
}

let texts = 0;
/** Texts are unique, so that published entries can be distinguished. */
export function nextText(): string {
  texts++;
  return `Sunset run ${texts}`;
}

export interface FaultCase {
  name: string;
  /** A function for a response in the platform's own form. */
  fault: Fault | ((world: Pick<World, 'simulator'>) => Fault);
  /** When a delayed request takes effect, in ms of the test clock. */
  releaseAfterMs?: number;
}

export interface CaseResult {
  state: string;
  code: string | null;
  /** Number of entries in the simulator's store with this text. */
  published: number;
  timeline: string[];
}

export async function resultOf(world: World, id: string, text: string): Promise<CaseResult> {
  const row = await world.target(id);
  const published = (await world.simulator.published()).filter((entry) => entry.text === text).length;
  return { state: String(row.state), code: row.code as string | null, published, timeline: await world.timeline(id) };
}

/** Cuts off the worker at one request of a publish, lets another worker take over, and returns the result. */
export async function crashAt(world: World, index: number, moment: Moment): Promise<CaseResult> {
  const text = nextText();
  const id = await world.post({ text });
  let gone = false;
  const crash = () => {
    gone = true;
    worker.abort();
  };
  // At the third moment the worker keeps running until it tries to record the response.
  const worker: TestWorker = await world.worker({
    databaseGone: () => {
      if (gone) crash();
      return gone;
    },
  });
  const seen = countFrom(world);
  const hit = (fault: Fault) =>
    world.simulator.faults.add({
      when: () => seen() === index,
      times: 1,
      fault,
    });
  const handle =
    moment === 'before it was sent'
      ? world.simulator.faults.add({
          when: () => {
            if (seen() !== index) return false;
            crash();
            return true;
          },
          times: 1,
          fault: { kind: 'reset-before', afterBytes: 0 },
        })
      : moment === 'after it was sent, before the response'
        ? hit(pausedAfter(crash))
        : hit(
            pausedAfter(() => {
              gone = true;
            }),
          );
  await worker.runUntilIdle().catch(() => {});
  // A worker that is cut off rejects, as intended.
  for (let rounds = 0; handle.hits() === 0 && rounds < 20; rounds++) {
    await world.advanceToNextDue();
    await worker.runUntilIdle().catch(() => {});
  }
  if (handle.hits() === 0) throw new Error(`Request ${index} never came.`);
  crash();
  world.simulator.faults.clear();
  await world.settle(await world.worker(), id);
  return resultOf(world, id, text);
}

/** When a call without a response times out, in ms. */
const HANG_UP_MS = 250;

/** Injects a fault into one request of a publish and returns the result. */
export async function faultAt(
  world: World,
  index: number,
  fault: Fault,
  options: { releaseAfterMs?: number } = {},
): Promise<CaseResult> {
  const text = nextText();
  const id = await world.post({ text });
  const seen = countFrom(world);
  const handle = world.simulator.faults.add({ when: () => seen() === index, times: 1, fault });
  // Only the call without a response gets a short deadline: on a busy machine, others could time out too.
  const hangs = fault.kind === 'timeout-before' || fault.kind === 'timeout-after';
  const worker = await world.worker({ maxDeadlineMs: () => (hangs && seen() === index - 1 ? HANG_UP_MS : undefined) });
  if (options.releaseAfterMs !== undefined) {
    for (let rounds = 0; handle.hits() === 0 && rounds < 20; rounds++) {
      await worker.runUntilIdle();
      if (handle.hits() === 0) await world.advanceToNextDue();
    }
    const end = (await world.db.clock.now()).getTime() + options.releaseAfterMs;
    await world.settleUntil(worker, id, end);
    await handle.release();
  }
  await world.settle(worker, id);
  if (handle.hits() === 0) throw new Error(`Request ${index} never came.`);
  world.simulator.faults.clear();
  worker.abort();
  return resultOf(world, id, text);
}

/** Returns the fault of a case for a world. */
export function faultIn(world: Pick<World, 'simulator'>, { fault }: FaultCase): Fault {
  return typeof fault === 'function' ? fault(world) : fault;
}

function countFrom(world: World): () => number {
  const before = world.simulator.requests.length;
  return () => world.simulator.requests.length - before;
}

/** Performs the request, then runs an action before the response. */
function pausedAfter(action: () => void): Fault {
  return {
    kind: 'pause',
    at: 'after',
    get hold() {
      action();
      return Promise.resolve();
    },
  };
}

/** The responses that a connector's table lists as proof of no effect, from a platform that did or did not act. */
export function listedFaults(connector: Connector): FaultCase[] {
  return connector.commit.responses.flatMap(({ status, code, proves }) => {
    // A response with a code has a platform-specific body; it is tested through the simulator's own refusals.
    if (proves === 'done' || code !== undefined) return [];
    const response = { status: typeof status === 'number' ? status : status[0], body: {} };
    return [
      { name: `${response.status}, listed as ${proves}, not acted`, fault: { kind: 'status', answer: response } },
      {
        name: `${response.status}, listed as ${proves}, but acted`,
        fault: { kind: 'status', answer: response, acted: true },
      },
    ] satisfies FaultCase[];
  });
}

/** Posts the same text twice, cuts off the worker at a request of the first publish, and returns both results. */
export async function equalTexts(world: World, index: number): Promise<CaseResult[]> {
  const text = nextText();
  const ids = [await world.post({ text }), await world.post({ text })];
  const worker = await world.worker();
  const seen = countFrom(world);
  world.simulator.faults.add({ when: () => seen() === index, times: 1, fault: pausedAfter(() => worker.abort()) });
  await worker.runUntilIdle().catch(() => {});
  world.simulator.faults.clear();
  const second = await world.worker();
  for (const id of ids) await world.settle(second, id);
  return Promise.all(ids.map((id) => resultOf(world, id, text)));
}

/** The error page of a gateway, which says nothing about the post. */
const PAGE = {
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><title>Forbidden</title><p>Blocked.\u0000\u001b[31m</p>${'<!-- -->'.repeat(2_000)}`,
};

const HOSTILE_TEXT = `No.\u0000\ud800\u001b[31m ${'x'.repeat(100_000)}`;

/** The platform's own form of an error, with codes that nobody knows and 100 kB of text with control characters. */
function unknownRefusal({ simulator: { simulator } }: Pick<World, 'simulator'>): Fault {
  const { headers, body } = simulator.unknownRoute({ method: 'GET', path: '/' });
  const json: Json = typeof body === 'string' ? tryParse(body) : ((body ?? null) as Json);
  return { kind: 'status', answer: { status: 400, headers, body: changedLeaves(json) as JsonObject } };
}

function changedLeaves(value: Json): Json {
  if (Array.isArray(value)) return value.map(changedLeaves);
  if (typeof value === 'number') return 987_654;
  if (typeof value === 'string') return /\s/.test(value) ? HOSTILE_TEXT : 'unheard_of';
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, changedLeaves(each ?? null)]));
}

/** The faults injected into every request of every connector. */
export const FAULTS: readonly FaultCase[] = [
  { name: 'the connection is cut before it acts', fault: { kind: 'reset-before' } },
  { name: 'the connection is cut after it acted', fault: { kind: 'reset-after' } },
  { name: 'no response, not acted', fault: { kind: 'timeout-before' } },
  { name: 'no response, but acted', fault: { kind: 'timeout-after' } },
  { name: 'garbage, not acted', fault: { kind: 'garbage', acted: false } },
  { name: 'garbage, but acted', fault: { kind: 'garbage', acted: true } },
  { name: '500, not acted', fault: { kind: 'status', answer: { status: 500, body: 'oops' } } },
  { name: '500, but acted', fault: { kind: 'status', answer: { status: 500, body: 'oops' }, acted: true } },
  { name: '421, not acted', fault: { kind: 'status', answer: { status: 421 } } },
  { name: '421, but acted', fault: { kind: 'status', answer: { status: 421 }, acted: true } },
  { name: '307 to itself', fault: { kind: 'redirect', status: 307 } },
  { name: '308 to itself, but acted', fault: { kind: 'redirect', status: 308, acted: true } },
  { name: '429 without a wait', fault: { kind: 'refusal', refusal: 'rate-limited' } },
  { name: '429 with a wait', fault: { kind: 'refusal', refusal: 'rate-limited-with-wait' } },
  { name: '429, but acted', fault: { kind: 'refusal', refusal: 'rate-limited', acted: true } },
  { name: 'its own 5xx', fault: { kind: 'refusal', refusal: 'server-error' } },
  { name: 'its own 5xx, but acted', fault: { kind: 'refusal', refusal: 'server-error', acted: true } },
  { name: 'token expired', fault: { kind: 'refusal', refusal: 'token-expired' } },
  { name: 'token expired, but acted', fault: { kind: 'refusal', refusal: 'token-expired', acted: true } },
  { name: 'token revoked', fault: { kind: 'refusal', refusal: 'token-revoked' } },
  { name: '403 with a page, not acted', fault: { kind: 'status', answer: { status: 403, ...PAGE } } },
  { name: '403 with a page, but acted', fault: { kind: 'status', answer: { status: 403, ...PAGE }, acted: true } },
  { name: 'an unknown refusal with 100 kB of text', fault: unknownRefusal },
  { name: 'a slow body', fault: { kind: 'slow-body', ms: 50 } },
  { name: 'acted five minutes after the hang-up', fault: { kind: 'late-execution' }, releaseAfterMs: 300_000 },
];

/**
 * Whether the fault is undetectable by a client: the platform acts, but returns what its documentation defines as proof
 * that it did not. Then at most "never twice" can be required.
 */
export function isPerfectLie(world: World, fault: Fault): boolean {
  if (!('acted' in fault) || !fault.acted || fault.kind === 'garbage' || fault.kind === 'redirect') return false;
  if (fault.kind === 'status' && fault.answer.body === PAGE.body) return false;
  const { status, body = '' } =
    fault.kind === 'status' ? fault.answer : world.simulator.simulator.refusal(fault.refusal);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = { status, headers: {}, text, json: () => JSON.parse(text), tryJson: () => tryParse(text) };
  const { commit } = world.connector;
  return ['retryable', 'refused'].includes(provenBy(commit.responses, status, commit.codeOf(response)) ?? '');
}

/**
 * Whether an interrupted publish ended as required. It must be posted, by any worker. Some platforms offer no way to
 * verify a send: `verify` gives up at once and there is no idempotency. Then the outcome must be reported as unknown at
 * once.
 */
export function restsWell({ connector }: Pick<World, 'connector'>, { state, code, timeline }: CaseResult): boolean {
  if (state === 'posted') return true;
  const lastTwo = timeline.slice(-2).map((line) => line.split(':')[0]);
  const saidAtOnce = code === 'outcome_unknown' && lastTwo.join(' ') === 'unknown failed';
  return connector.settle.idempotency === 'none' && saidAtOnce;
}

function tryParse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

/** Whether a platform offers no way to verify a send. */
export function isBlind({ matchBy, settle }: Connector): boolean {
  return settle.idempotency === 'none' && matchBy === 'none';
}

/**
 * Returns how a result breaks the service's central promise (posted exactly once or truthfully reported), or null.
 * @param perfectLie see {@link isPerfectLie}; if the send cannot be verified either, not even "never twice" can be
 * required
 */
export function broken(result: CaseResult, perfectLie = false, blind = false): string | null {
  const { state, code, published } = result;
  const told = `${state}${code ? ` (${code})` : ''}, ${published} published: ${result.timeline.join(' | ')}`;
  if (published > 1) return perfectLie && blind ? null : `posted twice: ${told}`;
  if (state === 'posted') return published === 1 ? null : `said to be posted and is not: ${told}`;
  if (state === 'failed' && code === 'outcome_unknown') return null;
  if (state === 'failed' && perfectLie) return null;
  if (state === 'failed') return published === 0 && code !== null ? null : `said to have failed and is there: ${told}`;
  return `not at rest: ${told}`;
}
