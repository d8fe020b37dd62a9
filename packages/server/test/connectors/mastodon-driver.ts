/** Walks the Mastodon connector against its simulator as the publisher would, on a clock that only the test moves. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type {
  ConnectContext,
  JsonObject,
  Media,
  Published,
  Session,
  Tokens,
  Work,
} from '../../src/connectors/contract.ts';
import { createAddressGuard } from '../../src/connectors/kit/address-guard.ts';
import { type Failure, PlatformError } from '../../src/connectors/kit/failure.ts';
import { createHttp, NetworkError } from '../../src/connectors/kit/http.ts';
import { connector } from '../../src/connectors/mastodon/index.ts';
import { type MastodonSwitches, SWITCHES } from '../../src/connectors/mastodon/simulator/state.ts';
import { simulator } from '../../src/connectors/mastodon/simulator.ts';
import { provenBy } from '../../src/publishing/send.ts';
import { type SimulatorOverrides, startSimulator } from '../harness/simulator.ts';

export const REDIRECT_URI = 'http://127.0.0.1:3000/oauth/mastodon/callback';

export interface Walk {
  phase: 'working' | 'committing' | 'unknown' | 'confirming' | 'posted' | 'failed';
  checkpoint: JsonObject | null;
  commitNumber: number;
  committedAt: number;
  unknownSince: number;
  notPostedSince: number | null;
  published?: Published;
  failure?: Failure;
  notes: string[];
}

export async function startInstance(overrides: SimulatorOverrides = {}) {
  const clock = { now: Date.UTC(2026, 10, 21, 10) };
  const instance = await startSimulator(simulator, { now: () => clock.now, ...overrides });
  const { origin } = new URL(instance.url);
  const http = createHttp({ guard: createAddressGuard([], [origin]) });
  const kept = new Map<string, JsonObject>();
  const context: ConnectContext = {
    http: http.request,
    endpoints: simulator.endpoints(instance.url),
    app: null,
    publicUrl: 'http://127.0.0.1:3000',
    registrations: {
      get: async (service) => kept.get(service) ?? null,
      put: async (service, value) => void kept.set(service, value),
    },
    clientKey: () => Promise.reject(new Error('Not needed.')),
    now: () => clock.now,
  };
  const set = (switches: MastodonSwitches) => instance.books.put(...SWITCHES, switches);
  /** What the user's browser does with the consent address. */
  const consent = async (url: string, fields: Record<string, string> = { username: 'nora', decision: 'allow' }) => {
    const body = new URL(url).searchParams;
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const answer = await fetch(url.split('?')[0] ?? '', { method: 'POST', body, redirect: 'manual' });
    return new URL(answer.headers.get('location') ?? '').searchParams;
  };
  const connect = async (fields?: Record<string, string>): Promise<Tokens> => {
    const { url, kept: sealed } = await connector.oauth.authorize(context, { state: 's', redirectUri: REDIRECT_URI });
    const query = await consent(url, fields);
    return connector.oauth.exchange(context, { query, redirectUri: REDIRECT_URI, kept: sealed });
  };
  const work = async (text: string, given: { media?: Media; sandbox?: boolean } = {}): Promise<Work> => {
    const tokens = await connect();
    const facts = await connector.identify(context, tokens);
    const session: Session = {
      http: http.request,
      endpoints: context.endpoints,
      service: facts.service ?? tokens.service,
      remoteId: facts.remoteId,
      username: facts.username,
      extra: facts.extra ?? {},
      choices: {},
      secret: tokens.secret,
      app: null,
      sandbox: given.sandbox ?? false,
      spend: async () => {},
      now: () => clock.now,
    };
    const post = { targetId: '0193-target', commitNumber: 1, text, previewTimeMs: 0 };
    return { session, post, media: given.media ?? videoOf(Buffer.alloc(200_000, 'film')) };
  };
  const close = async () => {
    http.close();
    await instance.close();
  };
  return { ...instance, clock, http, context, registrations: kept, set, consent, connect, work, close };
}

export type Instance = Awaited<ReturnType<typeof startInstance>>;

export function videoOf(bytes: Buffer): Media {
  return {
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    mime: 'video/mp4',
    container: 'mp4',
    durationMs: 31_000,
    width: 1080,
    height: 1920,
    stream: async (range) =>
      Readable.from([range ? bytes.subarray(range.first, range.last + 1) : bytes], { objectMode: false }),
  };
}

export const begun = (): Walk => ({
  phase: 'working',
  checkpoint: null,
  commitNumber: 1,
  committedAt: 0,
  unknownSince: 0,
  notPostedSince: null,
  notes: [],
});

/** One move, as the publisher makes it; the clock goes on by whatever pause it asks for. */
export async function move(instance: Instance, base: Work, walk: Walk): Promise<Walk> {
  const { clock, http } = instance;
  const work: Work = { ...base, post: { ...base.post, commitNumber: walk.commitNumber } };
  const pause = (ms: number | undefined) => {
    clock.now += ms ?? 0;
  };
  const failed = (failure: Failure, back: Partial<Walk> = {}): Walk => {
    const notes = [...walk.notes, failure.detail];
    if (failure.kind === 'rateLimited' || failure.kind === 'transient') {
      pause(failure.kind === 'rateLimited' ? failure.waitMs : (failure.waitMs ?? 30_000));
      return { ...walk, ...back, phase: 'working', notes };
    }
    return { ...walk, phase: 'failed', failure, notes };
  };
  const confirmed = (result: Awaited<ReturnType<typeof connector.confirm>>): Walk => {
    if (result.then === 'failed') return failed(result.failure, { checkpoint: null });
    const notes = [...walk.notes, result.note];
    if (result.then === 'posted') return { ...walk, phase: 'posted', published: result.published, notes };
    pause(result.afterMs);
    return { ...walk, phase: 'confirming', checkpoint: result.checkpoint, notes };
  };
  const unknown = (note: string): Walk => ({
    ...walk,
    phase: 'unknown',
    unknownSince: clock.now,
    notPostedSince: null,
    notes: [...walk.notes, note],
  });
  switch (walk.phase) {
    case 'working': {
      let result: Awaited<ReturnType<typeof connector.begin>>;
      try {
        result = walk.checkpoint ? await connector.step(work, walk.checkpoint) : await connector.begin(work);
      } catch (error) {
        if (error instanceof NetworkError) return failed({ kind: 'transient', detail: error.message });
        throw error;
      }
      if (result.then === 'failed') return failed(result.failure);
      if (result.then === 'continue') pause(result.afterMs);
      const phase = result.then === 'commit' ? 'committing' : 'working';
      const notes = [...walk.notes, result.note];
      return { ...walk, phase, checkpoint: result.checkpoint, committedAt: clock.now, notes };
    }
    case 'committing': {
      const checkpoint = walk.checkpoint ?? {};
      const request = await connector.commit.request(work, checkpoint);
      const again = { commitNumber: walk.commitNumber + 1 };
      try {
        const { method, url, headers, body } = request;
        const answer = await http.irreversible(
          { method, url, headers, body, deadlineMs: 2_000 },
          { permit: () => true },
        );
        const proves = provenBy(connector.commit.answers, answer.status, connector.commit.codeOf(answer));
        if (proves === null) return unknown(`An answer that proves nothing: ${answer.status}.`);
        if (proves === 'done') return confirmed(connector.commit.done(work, checkpoint, answer));
        const failure = connector.commit.failureOf?.(answer, clock.now);
        if (!failure) throw new Error('A failure was expected.');
        return failed(failure, again);
      } catch (error) {
        if (!(error instanceof NetworkError)) return unknown('An answer that cannot be read.');
        if (error.sent === 'no') return failed({ kind: 'transient', detail: error.message }, again);
        return unknown(error.message);
      }
    }
    case 'unknown': {
      const fingerprint = { text: work.post.text, durationMs: work.media.durationMs, committedAt: walk.committedAt };
      let result: Awaited<ReturnType<typeof connector.verify>>;
      try {
        result = await connector.verify(work, walk.checkpoint, fingerprint);
      } catch (error) {
        if (!(error instanceof NetworkError) && !(error instanceof PlatformError)) throw error;
        if (error instanceof PlatformError && error.failure.kind === 'reconnect') return failed(error.failure);
        result = { then: 'stillUnknown', note: error.message };
      }
      if (result.then === 'stillUnknown') {
        pause(result.afterMs ?? 60_000);
        return { ...walk, notPostedSince: null, notes: [...walk.notes, result.note] };
      }
      if (result.then !== 'notPosted') return confirmed(result);
      const { waitMs, apartMs } = connector.settle;
      const first = walk.notPostedSince;
      const notes = [...walk.notes, result.note];
      if (first !== null && clock.now >= walk.unknownSince + waitMs && clock.now >= first + apartMs)
        return { ...walk, phase: 'working', checkpoint: result.checkpoint, notes };
      pause(Math.max(apartMs, walk.unknownSince + waitMs - clock.now));
      return { ...walk, notPostedSince: first ?? clock.now, notes };
    }
    case 'confirming':
      return confirmed(await connector.confirm(work, walk.checkpoint ?? {}));
    default:
      return walk;
  }
}

export const isOver = ({ phase }: Walk) => phase === 'posted' || phase === 'failed';

/** Walks to the end. @param crashAt number of the move whose result is lost, as when the worker is killed behind it */
export async function walkThrough(
  instance: Instance,
  work: Work,
  given: { from?: Walk; crashAt?: number; maxMoves?: number } = {},
): Promise<Walk> {
  let walk = given.from ?? begun();
  for (let count = 1; count <= (given.maxMoves ?? 80) && !isOver(walk); count++) {
    const next = await move(instance, work, walk);
    if (count !== given.crashAt) walk = next;
    else if (walk.phase === 'committing') walk = { ...walk, phase: 'unknown', unknownSince: instance.clock.now };
  }
  return walk;
}

type Request = { method: string; path: string };
export const isStatus = ({ method, path }: Request) => method === 'POST' && path === '/api/v1/statuses';
export const isUpload = ({ path }: Request) => path === '/api/v2/media';
export const isPoll = ({ path }: Request) => path.startsWith('/api/v1/media/');
export const isLook = ({ method, path }: Request) => method === 'GET' && path.startsWith('/api/v1/statuses/');

/** Walks until the given phase is reached. */
export async function walkTo(instance: Instance, work: Work, phase: Walk['phase']): Promise<Walk> {
  let walk = begun();
  while (walk.phase !== phase && !isOver(walk)) walk = await move(instance, work, walk);
  return walk;
}
