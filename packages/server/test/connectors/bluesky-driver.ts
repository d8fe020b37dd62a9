/** Connects the Bluesky connector to its simulator and walks it as the publisher does, on a clock that the test moves. */
import { createHash, generateKeyPairSync } from 'node:crypto';
import { Readable } from 'node:stream';
import { clientJwks, clientMetadata } from '../../src/connectors/bluesky/client.ts';
import { connector } from '../../src/connectors/bluesky/index.ts';
import { createBlueskySimulator, simulator } from '../../src/connectors/bluesky/simulator.ts';
import type {
  ConfirmResult,
  ConnectContext,
  JsonObject,
  Media,
  Session,
  StepResult,
  Tokens,
  Work,
} from '../../src/connectors/contract.ts';
import { createAddressGuard } from '../../src/connectors/kit/address-guard.ts';
import { type Failure, PlatformError } from '../../src/connectors/kit/failure.ts';
import { createHttp } from '../../src/connectors/kit/http.ts';
import type { SimulatorModule } from '../../src/connectors/kit/simulator.ts';
import { type SendOutcome, send } from '../../src/publishing/send.ts';
import { type SimulatorOverrides, startSimulator } from '../harness/simulator.ts';

export const PUBLIC_URL = 'https://reelay.example';
export const HANDLE = 'nora.test';

/** The service's signing key, as the accounts module makes it. */
const CLIENT_KEY = {
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid: 'the-key',
  alg: 'ES256',
  use: 'sig',
} as JsonObject;

/** A simulator that can read our documents although nothing serves them. */
const documented: SimulatorModule = {
  ...simulator,
  create: (options) =>
    createBlueskySimulator(options, async (url) => {
      if (url === `${PUBLIC_URL}/oauth/client-metadata.json`) return clientMetadata(PUBLIC_URL);
      return url === `${PUBLIC_URL}/oauth/jwks.json` ? clientJwks(CLIENT_KEY) : null;
    }),
};

export async function startBluesky(overrides: SimulatorOverrides & { publicUrl?: string; video?: boolean } = {}) {
  const { publicUrl = 'http://localhost:3000', video = true, ...options } = overrides;
  const clock = { now: Date.UTC(2026, 10, 21, 10) };
  const running = await startSimulator(documented, { now: () => clock.now, ...options });
  const account = await running.simulator.enrol(HANDLE);
  const http = createHttp({ guard: createAddressGuard([], [new URL(running.url).origin]) });
  const endpoints = { ...documented.endpoints(running.url), ...(video ? {} : { video: '' }) };
  const context: ConnectContext = {
    http: http.request,
    endpoints,
    app: null,
    publicUrl,
    registrations: { get: async () => null, put: async () => {} },
    clientKey: async () => CLIENT_KEY,
    now: () => clock.now,
  };
  const redirectUri = `${publicUrl}/oauth/bluesky/callback`;
  const login = () =>
    connector.credentials.open(context, { identifier: HANDLE, secret: account.credentials?.secret ?? '' });
  /** What the owner's browser does with the consent address. */
  const consent = async (url: string, fields: Record<string, string> = {}) => {
    const form = new URLSearchParams({ username: HANDLE, decision: 'allow', ...fields });
    for (const [name, value] of new URL(url).searchParams) form.set(name, value);
    const answer = await fetch(url.split('?')[0] ?? '', { method: 'POST', body: form, redirect: 'manual' });
    return new URL(answer.headers.get('location') ?? 'none:');
  };
  const authorize = (input: { identifier?: string; service?: string } = { identifier: HANDLE }) =>
    connector.oauth.authorize(context, { state: 'the state', redirectUri, ...input });
  const exchange = (back: URL, kept: JsonObject) =>
    connector.oauth.exchange(context, { query: back.searchParams, redirectUri, kept });
  const oauth = async (): Promise<Tokens> => {
    const { url, kept } = await authorize();
    return exchange(await consent(url), kept);
  };
  const spent: string[] = [];
  const open = async (tokens: Tokens): Promise<Session> => {
    const facts = await connector.identify(context, tokens);
    return {
      http: http.request,
      endpoints,
      service: facts.service ?? tokens.service,
      remoteId: facts.remoteId,
      username: facts.username,
      extra: facts.extra ?? {},
      choices: {},
      secret: tokens.secret,
      app: null,
      sandbox: false,
      spend: async (budget) => void spent.push(budget),
      now: () => clock.now,
    };
  };
  const work = async (text = 'Sunset run', given: { media?: Media; tokens?: Tokens } = {}): Promise<Work> => ({
    session: await open(given.tokens ?? (await login())),
    post: { targetId: '0193-target', commitNumber: 1, text, previewTimeMs: 0 },
    media: given.media ?? videoOf(Buffer.alloc(200_000, 'film')),
  });
  const record = async (rkey: string) => {
    const uri = `at://${account.remoteId}/app.bsky.feed.post/${rkey}`;
    return (await running.books.get<{ value: JsonObject }>('record', uri))?.value;
  };
  const remove = (rkey: string, token: unknown) =>
    fetch(`${running.url}/xrpc/com.atproto.repo.deleteRecord`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ repo: account.remoteId, collection: 'app.bsky.feed.post', rkey }),
    });
  const close = async () => {
    http.close();
    await running.close();
  };
  return {
    ...running,
    clock,
    account,
    did: account.remoteId,
    http,
    context,
    redirectUri,
    login,
    consent,
    authorize,
    exchange,
    oauth,
    spent,
    open,
    work,
    record,
    remove,
    close,
  };
}

export type Bluesky = Awaited<ReturnType<typeof startBluesky>>;

export function videoOf(bytes: Buffer, more: Partial<Media> = {}): Media {
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
    ...more,
  };
}

/** Steps until the irreversible call is next, or until a step fails; the clock goes on by the pauses asked for. */
export async function prepare(
  { clock }: Pick<Bluesky, 'clock'>,
  work: Work,
  from: JsonObject | null = null,
): Promise<{ result: StepResult; notes: string[]; checkpoints: JsonObject[] }> {
  const notes: string[] = [];
  const checkpoints: JsonObject[] = [];
  let result = from ? await connector.step(work, from) : await connector.begin(work);
  for (let count = 0; result.then === 'continue' && count < 200; count++) {
    // As the database keeps it.
    const checkpoint = JSON.parse(JSON.stringify(result.checkpoint)) as JsonObject;
    notes.push(result.note);
    checkpoints.push(checkpoint);
    clock.now += result.afterMs ?? 0;
    result = await connector.step(work, checkpoint);
  }
  return { result, notes, checkpoints };
}

/** The checkpoint from which the irreversible call is made. */
export async function ready(bluesky: Pick<Bluesky, 'clock'>, work: Work, from: JsonObject | null = null) {
  const { result } = await prepare(bluesky, work, from);
  if (result.then !== 'commit') throw new Error(`No call was prepared: ${JSON.stringify(result)}`);
  return JSON.parse(JSON.stringify(result.checkpoint)) as JsonObject;
}

/** Makes the irreversible call as the publisher does. */
export async function commit(
  { http }: Pick<Bluesky, 'http'>,
  work: Work,
  checkpoint: JsonObject,
): Promise<SendOutcome> {
  const request = await connector.commit.request(work, checkpoint);
  return send(http, connector, work, checkpoint, { ...request, deadlineMs: 2_000 }, () => true);
}

/** From nothing to posted. */
export async function publish(
  bluesky: Pick<Bluesky, 'clock' | 'http'>,
  work: Work,
): Promise<ConfirmResult & { then: 'posted' }> {
  const outcome = await commit(bluesky, work, await ready(bluesky, work));
  if (outcome.came !== 'done' || outcome.result.then !== 'posted')
    throw new Error(`Not posted: ${JSON.stringify(outcome)}`);
  return outcome.result;
}

/** Looks as the publisher does after a send without proof. */
export function look({ clock }: Pick<Bluesky, 'clock'>, work: Work, checkpoint: JsonObject | null, agoMs = 0) {
  const fingerprint = { text: work.post.text, durationMs: work.media.durationMs, committedAt: clock.now - agoMs };
  return connector.verify(work, checkpoint, fingerprint);
}

/** The failure that some work ends with. */
export async function failureOf(doing: Promise<unknown>): Promise<Failure> {
  const error = await doing.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof PlatformError) return error.failure;
  throw new Error('A PlatformError was expected.', { cause: error });
}

type Request = { method: string; path: string };
export const isPut = ({ path }: Request): boolean => path === '/xrpc/com.atproto.repo.putRecord';
export const isMethod =
  (name: string) =>
  ({ path }: Request): boolean =>
    path.split('?')[0]?.endsWith(`.${name}`) ?? false;
