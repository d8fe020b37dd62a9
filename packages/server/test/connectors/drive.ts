/**
 * Test driver for a connector and its simulator, with a clock that only the test advances. It has everything that the
 * connector tests share; `PLATFORM-driver.ts` has what is specific to a platform.
 *
 * To add a connector, write a driver whose start function calls `startDrive(connector, simulator, …)` and returns its
 * result together with the platform's own functions:
 *
 * 1. The consent: what the user's browser does with the URL of `authorize`, usually `sendForm` with the fields of the
 *    simulator's form. `drive.connect(consent)` turns it into tokens.
 * 2. `work(text, …)`: gets tokens and calls `drive.workWith(tokens, text, …)`, with choices if the platform requires
 *    some.
 * 3. Setters for the simulator's switches, and matchers for its requests (`isUpload`, `isStatus`) to inject faults
 *    into.
 * 4. `once`: the requests of a publish by name, for the exactly-once suite (`suites/exactly-once.ts`).
 *
 * A test file starts with `const start = closedAfterTest(startPLATFORM)` (`harness/after-test.ts`) and needs no
 * `afterEach`. `walkThrough`, `walkTo`, and `move` (`walk.ts`) publish by the engine's transitions: tokens are refreshed,
 * delays advance the clock, a send of unknown outcome is verified, and `crashAt` loses the result of one call. `films.ts`
 * creates videos of any length; `failureOf` (`walk.ts`) returns the failure of a rejected call.
 */
import type { SimulatorModule } from '@reelay/sandbox/contract.ts';
import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import type {
  ConnectContext,
  Connector,
  JsonObject,
  Media,
  OAuthFlow,
  Session,
  Tokens,
  Work,
} from '../../src/connectors/contract.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp, type HttpRequest, type ManagedHttp } from '../../src/outbound/http-client.ts';
import { type SimulatorOverrides, startSimulator } from '../harness/simulator.ts';
import { filmOf } from './films.ts';

export interface DriveOptions {
  /** Redirect URI of the consent. */
  redirectUri: string;
  /** Overrides. Defaults: no application, `http://127.0.0.1:3000`, registrations in memory, no service key. */
  context?: Partial<ConnectContext>;
  simulator?: SimulatorOverrides;
}

export interface WorkOptions extends Partial<Omit<Session, 'secret'>> {
  /** Defaults to a video of 200 kB. */
  media?: Media;
  /** The post's options for this platform. Defaults to none. */
  options?: JsonObject;
}

/** Starts a simulator and the context that a connector needs. Close it, or start it with `closedAfterTest`. */
export async function startDrive(connector: Connector, module: SimulatorModule, options: DriveOptions) {
  const { redirectUri } = options;
  const clock = { now: Date.UTC(2026, 10, 21, 10) };
  const running = await startSimulator(module, { now: () => clock.now, wire: true, ...options.simulator });
  const { http, asked, noResponse } = listening(
    createHttp({ guard: createAddressGuard([], [new URL(running.url).origin]) }),
  );
  const registrations = new Map<string, JsonObject>();
  const context: ConnectContext = {
    http: http.request,
    settings: {},
    app: null,
    apps: {},
    publicUrl: 'http://127.0.0.1:3000',
    registrations: {
      get: async (service) => registrations.get(service) ?? null,
      put: async (service, value) => void registrations.set(service, value),
    },
    clientKey: () => Promise.reject(new Error('Not needed.')),
    now: () => clock.now,
    ...options.context,
    endpoints: { ...module.endpoints(running.url), ...options.context?.endpoints },
  };
  const consented = new WeakSet<Tokens>();
  /** Gets tokens through the user's consent. @param consent the browser's part: from the URL to the callback's query */
  const connect = async (
    consent: (url: string) => Promise<URLSearchParams>,
    input: Partial<Parameters<OAuthFlow['authorize']>[1]> = {},
  ): Promise<Tokens> => {
    const { oauth } = connector;
    if (!oauth) throw new Error('This platform knows no consent.');
    const asking = { state: 'the state', redirectUri, ...input };
    const { url, kept } = await oauth.authorize(context, asking);
    const tokens = await oauth.exchange(context, { query: await consent(url), redirectUri: asking.redirectUri, kept });
    consented.add(tokens);
    return tokens;
  };
  /** Tokens of the latest session. */
  let latest: { tokens: Tokens; refresh: OAuthFlow['refresh'] } | null = null;
  const renew = async () => {
    if (latest?.refresh) latest.tokens = await latest.refresh(context, latest.tokens);
  };
  const spent: string[] = [];
  /** Reads that the platform charged for. */
  const counted: number[] = [];
  const open = async (tokens: Tokens, changes: Partial<Omit<Session, 'secret'>> = {}): Promise<Session> => {
    const facts = await connector.identify(context, tokens);
    const flow = consented.has(tokens) ? connector.oauth : (connector.credentials ?? connector.oauth);
    const held = { tokens, refresh: flow?.refresh };
    latest = held;
    const session: Session = {
      http: http.request,
      endpoints: context.endpoints,
      service: facts.service ?? tokens.service,
      remoteId: facts.remoteId,
      username: facts.username,
      extra: facts.extra ?? {},
      choices: {},
      get secret() {
        return held.tokens.secret;
      },
      app: context.app,
      apps: context.apps,
      settings: context.settings,
      sandbox: false,
      spend: async (budget) => void spent.push(budget),
      countReads: async (reads) => void counted.push(reads),
      now: () => clock.now,
    };
    return Object.assign(session, changes);
  };
  const workWith = async (tokens: Tokens, text: string, given: WorkOptions = {}): Promise<Work> => {
    const { media = filmOf(200_000), options = {}, ...changes } = given;
    const post = { targetId: '0193-target', sendKey: 1, text, previewTimeMs: 1_200, options };
    return { session: await open(tokens, changes), post, media };
  };
  const close = async () => {
    http.close();
    await running.close();
  };
  /** What is published, with ids as the connector returns them. */
  const published = async () =>
    (await running.published()).map((entry) => ({ ...entry, id: connector.canonicalId(entry.id) }));
  const walking = { connector, http, clock, renew, published };
  return {
    ...running,
    ...walking,
    context,
    registrations,
    asked,
    noResponse,
    spent,
    counted,
    connect,
    open,
    workWith,
    close,
  };
}

/** Wraps the client, records its requests, newest last, and ends calls without a response. */
function listening(http: ManagedHttp) {
  const asked: HttpRequest[] = [];
  let deadline = new AbortController();
  const noted = (request: HttpRequest): HttpRequest => {
    asked.push(request);
    return {
      ...request,
      signal: request.signal ? AbortSignal.any([request.signal, deadline.signal]) : deadline.signal,
    };
  };
  /**
   * A fault without a response. The client gives up when the whole request has arrived (`before`) or was carried out
   * (`after`), so no speed of the machine decides which of them happens.
   */
  const noResponse = (at: 'before' | 'after'): Fault => ({
    kind: 'pause',
    at,
    get hold() {
      deadline.abort();
      deadline = new AbortController();
      return new Promise<void>(() => {});
    },
  });
  const request: ManagedHttp['request'] = (each) => http.request(noted(each));
  const irreversible: ManagedHttp['irreversible'] = (each, how) => http.irreversible(noted(each), how);
  const wrapped: ManagedHttp = { request, irreversible, close: () => http.close() };
  return { http: wrapped, asked, noResponse };
}

/** Submits a form like a browser. @returns the redirect target; `none:` if there is no redirect */
export async function sendForm(action: string, body: URLSearchParams): Promise<URL> {
  const response = await fetch(action, { method: 'POST', body, redirect: 'manual' });
  return new URL(response.headers.get('location') ?? 'none:');
}

/** Method and path that identify a connector's request. */
export type Call = { method: string; path: string };
