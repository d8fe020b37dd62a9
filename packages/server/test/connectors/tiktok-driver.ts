/** Walks the TikTok connector against its simulator as the publisher would, on a clock that only the test moves. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type {
  ConnectContext,
  JsonObject,
  Media,
  Published,
  Session,
  Tokens,
  VerifyResult,
  Work,
} from '../../src/connectors/contract.ts';
import { createAddressGuard } from '../../src/connectors/kit/address-guard.ts';
import { type Failure, PlatformError } from '../../src/connectors/kit/failure.ts';
import { createHttp, type HttpRequest, NetworkError } from '../../src/connectors/kit/http.ts';
import { connector } from '../../src/connectors/tiktok/index.ts';
import type { Account, AppSettings, Task } from '../../src/connectors/tiktok/simulator/records.ts';
import { simulator } from '../../src/connectors/tiktok/simulator.ts';
import { provenBy } from '../../src/publishing/send.ts';
import { type SimulatorOverrides, startSimulator } from '../harness/simulator.ts';

export const DESKTOP = 'http://127.0.0.1:3000/oauth/tiktok/callback';
export const WEB = 'https://reelay.example/oauth/tiktok/callback';

export async function startTikTok(overrides: SimulatorOverrides = {}) {
  const clock = { now: Date.UTC(2026, 10, 21, 10) };
  /** How long a last part may take, ms; null: as long as the connector says. */
  const patience: { ms: number | null } = { ms: null };
  const running = await startSimulator(simulator, { now: () => clock.now, ...overrides });
  const guard = createAddressGuard([], [new URL(running.url).origin]);
  /** What the connector asked for, newest last. */
  const asked: HttpRequest[] = [];
  const http = createHttp({ guard });
  const request: Session['http'] = (each) => {
    asked.push(each);
    return http.request(each);
  };
  const context: ConnectContext = {
    http: request,
    endpoints: simulator.endpoints(running.url),
    app: { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' },
    publicUrl: 'http://127.0.0.1:3000',
    registrations: { get: async () => null, put: async () => {} },
    clientKey: () => Promise.reject(new Error('Not needed.')),
    now: () => clock.now,
  };
  const connect = async (
    username = 'nora.cuts',
    { redirectUri = DESKTOP, granted = connector.oauth.scopes as readonly string[] } = {},
  ): Promise<Tokens> => {
    const { url, kept } = await connector.oauth.authorize(context, { state: 'the state', redirectUri });
    const query = await consent(url, { username, granted });
    return connector.oauth.exchange(context, { query, redirectUri, kept });
  };
  /** Those of the last piece of work. */
  let tokens: Tokens | null = null;
  const renew = async () => {
    if (tokens) tokens = (await connector.oauth.refresh?.(context, tokens)) ?? null;
  };
  const work = async (text: string, given: Partial<Session> & { media?: Media } = {}): Promise<Work> => {
    const { media = filmOf(200_000), ...changes } = given;
    tokens = await connect();
    const facts = await connector.identify(context, tokens);
    const session: Session = {
      http: request,
      endpoints: context.endpoints,
      service: '',
      remoteId: facts.remoteId,
      username: facts.username,
      extra: {},
      choices: { privacy: 'PUBLIC_TO_EVERYONE' },
      get secret() {
        return tokens?.secret ?? {};
      },
      app: context.app,
      sandbox: false,
      spend: async () => {},
      now: () => clock.now,
    };
    Object.assign(session, changes);
    return { session, post: { targetId: '0193-target', commitNumber: 1, text, previewTimeMs: 1_200 }, media };
  };
  const changeAccount = async (changes: Partial<Account>) => {
    const { remoteId } = await running.simulator.enrol('nora.cuts');
    await running.books.change<Account>('account', remoteId, (known) => known && { ...known, ...changes });
  };
  const setApp = (settings: Partial<AppSettings>) =>
    running.books.put('app', 'settings', { audited: true, activeUserCap: null, ...settings });
  const tasks = async () => (await running.books.list<Task>('task', { limit: 100 })).map(({ value }) => value);
  const changeTask = async (changes: Partial<Task>) => {
    const [task] = await tasks();
    await running.books.change<Task>('task', task?.uploadId ?? '', (known) => known && { ...known, ...changes });
  };
  const close = async () => {
    http.close();
    await running.close();
  };
  return {
    ...running,
    clock,
    patience,
    http,
    asked,
    context,
    connect,
    renew,
    work,
    changeAccount,
    setApp,
    tasks,
    changeTask,
    close,
  };
}

export type TikTok = Awaited<ReturnType<typeof startTikTok>>;

/** What the user's browser does with the consent page: it shows it and sends its form. @returns the callback's query */
export async function consent(
  url: string,
  given: { username?: string; granted?: readonly string[]; decision?: string } = {},
): Promise<URLSearchParams> {
  const { username = 'nora.cuts', granted = connector.oauth.scopes, decision = 'allow' } = given;
  const page = await fetch(url);
  if (page.status !== 200) throw new Error(`The consent page says: ${await page.text()}`);
  await page.text();
  const body = new URLSearchParams({ username, decision });
  for (const scope of granted) body.append('granted', scope);
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '').searchParams;
}

const BLOCK = 65_536;

/** A film of any length that nobody holds in memory; `handed` counts the bytes that were read of it. */
export function filmOf(bytes: number, facts: Partial<Media> = {}): Media & { handed: () => number } {
  let handed = 0;
  const block = Buffer.alloc(BLOCK, 'thirty-one letters make a pattern');
  function* read(first: number, last: number): Generator<Buffer> {
    for (let at = first; at <= last; ) {
      const from = at % BLOCK;
      const part = Buffer.from(block.subarray(from, Math.min(BLOCK, from + last - at + 1)));
      // Each block begins with its own number, so that none can stand for another.
      if (from === 0 && part.length >= 4) part.writeUInt32BE(at / BLOCK, 0);
      at += part.length;
      handed += part.length;
      yield part;
    }
  }
  const hash = createHash('sha256');
  for (const part of read(0, bytes - 1)) hash.update(part);
  handed = 0;
  return {
    bytes,
    sha256: hash.digest('hex'),
    mime: 'video/mp4',
    container: 'mp4',
    durationMs: 31_000,
    width: 1080,
    height: 1920,
    ...facts,
    stream: async (range = { first: 0, last: bytes - 1 }) =>
      Readable.from(read(range.first, range.last), { objectMode: false }),
    handed: () => handed,
  };
}

export interface Walk {
  phase: 'working' | 'committing' | 'unknown' | 'confirming' | 'posted' | 'failed';
  checkpoint: JsonObject | null;
  committedAt: number;
  unknownSince: number;
  notPostedSince: number | null;
  /** When the platform first said "complete"; ms. */
  completeSince: number | null;
  published?: Published;
  failure?: Failure;
  notes: string[];
}

export const begun = (): Walk => ({
  phase: 'working',
  checkpoint: null,
  committedAt: 0,
  unknownSince: 0,
  notPostedSince: null,
  completeSince: null,
  notes: [],
});

/** One move, as the publisher makes it; the clock goes on by whatever pause it asks for. */
export async function move(tiktok: TikTok, work: Work, walk: Walk): Promise<Walk> {
  const { clock } = tiktok;
  const say = (note: string) => [...walk.notes, note];
  const pause = (ms: number | undefined) => {
    clock.now += ms ?? 0;
  };
  const failed = (failure: Failure, back: Partial<Walk> = {}): Walk => {
    const notes = say(failure.detail);
    if (failure.kind !== 'rateLimited' && failure.kind !== 'transient')
      return { ...walk, phase: 'failed', failure, notes };
    pause(failure.waitMs ?? 30_000);
    return { ...walk, ...back, phase: 'working', notes };
  };
  const unknown = (note: string): Walk => ({
    ...walk,
    phase: 'unknown',
    unknownSince: clock.now,
    notPostedSince: null,
    notes: say(note),
  });
  const confirmed = (result: Awaited<ReturnType<typeof connector.confirm>>): Walk => {
    if (result.then === 'failed') return failed(result.failure, { checkpoint: null, completeSince: null });
    const notes = say(result.note);
    if (result.then === 'posted') return { ...walk, phase: 'posted', published: result.published, notes };
    const completeSince = result.complete ? (walk.completeSince ?? clock.now) : walk.completeSince;
    pause(result.afterMs);
    return { ...walk, phase: 'confirming', checkpoint: result.checkpoint, completeSince, notes };
  };
  /** What a call that may be made again came to when it failed. */
  const again = async (error: unknown): Promise<Walk> => {
    if (error instanceof NetworkError) return failed({ kind: 'transient', detail: error.message });
    if (!(error instanceof PlatformError)) throw error;
    if (error.failure.kind !== 'tokenExpired') return failed(error.failure);
    const refused = await failureOf(tiktok.renew());
    return failed(refused ?? { kind: 'transient', detail: 'The token was renewed.', waitMs: 0 });
  };
  switch (walk.phase) {
    case 'working':
      try {
        const result = await (walk.checkpoint ? connector.step(work, walk.checkpoint) : connector.begin(work));
        if (result.then === 'failed') return failed(result.failure);
        if (result.then === 'continue') pause(result.afterMs);
        const phase = result.then === 'commit' ? 'committing' : 'working';
        return { ...walk, phase, checkpoint: result.checkpoint, committedAt: clock.now, notes: say(result.note) };
      } catch (error) {
        return await again(error);
      }
    case 'committing':
      return send(tiktok, work, walk, { failed, unknown, confirmed });
    case 'unknown':
      return look(tiktok, work, walk, { say, pause, confirmed });
    case 'confirming':
      try {
        return confirmed(await connector.confirm(work, walk.checkpoint ?? {}));
      } catch (error) {
        const after = await again(error);
        return { ...after, phase: 'confirming', failure: undefined };
      }
    default:
      return walk;
  }
}

type Confirm = Awaited<ReturnType<typeof connector.confirm>>;

async function send(
  { http, asked, patience }: TikTok,
  work: Work,
  walk: Walk,
  turn: {
    failed: (failure: Failure) => Walk;
    unknown: (note: string) => Walk;
    confirmed: (result: Confirm) => Walk;
  },
): Promise<Walk> {
  const checkpoint = walk.checkpoint ?? {};
  const { method, url, headers, body, deadlineMs: own } = await connector.commit.request(work, checkpoint);
  const deadlineMs = patience.ms ?? own;
  asked.push({ method, url, headers, body });
  try {
    const answer = await http.irreversible({ method, url, headers, body, deadlineMs }, { permit: () => true });
    const proves = provenBy(connector.commit.answers, answer.status, connector.commit.codeOf(answer));
    if (proves === null) return turn.unknown(`An answer that proves nothing: ${answer.status}.`);
    if (proves === 'done') return turn.confirmed(connector.commit.done(work, checkpoint, answer));
    const failure = connector.commit.failureOf?.(answer, work.session.now());
    if (!failure) throw new Error('A failure was expected.');
    return turn.failed(failure);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return error.sent === 'no'
      ? turn.failed({ kind: 'transient', detail: error.message })
      : turn.unknown(error.message);
  }
}

async function look(
  { clock }: TikTok,
  work: Work,
  walk: Walk,
  turn: {
    say: (note: string) => string[];
    pause: (ms: number) => void;
    confirmed: (result: Confirm) => Walk;
  },
): Promise<Walk> {
  const fingerprint = { text: work.post.text, durationMs: work.media.durationMs, committedAt: walk.committedAt };
  let result: VerifyResult;
  try {
    result = await connector.verify(work, walk.checkpoint, fingerprint);
  } catch (error) {
    if (!(error instanceof NetworkError) && !(error instanceof PlatformError)) throw error;
    result = { then: 'stillUnknown', note: error.message };
  }
  if (result.then === 'stillUnknown') {
    turn.pause(result.afterMs ?? 60_000);
    return { ...walk, notPostedSince: null, notes: turn.say(result.note) };
  }
  if (result.then !== 'notPosted') return turn.confirmed(result);
  const { waitMs, apartMs } = connector.settle;
  const first = walk.notPostedSince;
  const notes = turn.say(result.note);
  if (first !== null && clock.now >= walk.unknownSince + waitMs && clock.now >= first + apartMs)
    return { ...walk, phase: 'working', checkpoint: result.checkpoint, notes };
  turn.pause(Math.max(apartMs, walk.unknownSince + waitMs - clock.now));
  return { ...walk, notPostedSince: first ?? clock.now, notes };
}

export const isOver = ({ phase }: Walk) => phase === 'posted' || phase === 'failed';

/** Walks to the end. @param crashAt number of the move whose result is lost, as when the worker is killed behind it */
export async function walkThrough(
  tiktok: TikTok,
  work: Work,
  given: { from?: Walk; crashAt?: number; maxMoves?: number } = {},
): Promise<Walk> {
  let walk = given.from ?? begun();
  for (let count = 1; count <= (given.maxMoves ?? 80) && !isOver(walk); count++) {
    const next = await move(tiktok, work, walk);
    if (count !== given.crashAt) walk = next;
    else if (walk.phase === 'committing') walk = { ...walk, phase: 'unknown', unknownSince: tiktok.clock.now };
  }
  return walk;
}

/** Walks until a phase is reached, or something holds of the walk. */
export async function walkTo(
  tiktok: TikTok,
  work: Work,
  there: Walk['phase'] | ((walk: Walk) => boolean),
  from = begun(),
): Promise<Walk> {
  const arrived = typeof there === 'string' ? ({ phase }: Walk) => phase === there : there;
  let walk = from;
  for (let count = 0; !arrived(walk) && !isOver(walk) && count < 200; count++) walk = await move(tiktok, work, walk);
  return walk;
}

type Call = { method: string; path: string };
const isAt =
  (part: string) =>
  ({ path }: Call) =>
    path.includes(part);
export const isToken = isAt('/v2/oauth/token/');
export const isCreator = isAt('/creator_info/query/');
export const isInit = isAt('/video/init/');
export const isStatus = isAt('/status/fetch/');
export const isList = isAt('/v2/video/list/');
export const isPart = ({ method, path }: Call) => method === 'PUT' && path.startsWith('/video/');

/** Content ranges of the chunks that the connector asked to send, in order. */
export function rangesOf({ asked }: TikTok): string[] {
  return asked.flatMap(({ method, headers }) => (method === 'PUT' ? [headers?.['content-range'] ?? ''] : []));
}

/** The failure behind a promise that is rejected with one; undefined where it is not. */
export async function failureOf(attempt: Promise<unknown>): Promise<Failure | undefined> {
  const error = await attempt.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof PlatformError ? error.failure : undefined;
}
