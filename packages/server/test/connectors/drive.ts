/**
 * A connector beside its simulator, on a clock that only the test moves. This is all that the tests of connectors have
 * in common; what a platform has of its own stands in its `PLATFORM-driver.ts`.
 *
 * For one more connector, write a driver whose start calls `startDrive(connector, simulator, …)` and returns what it
 * gives together with the platform's own:
 *
 * 1. the consent: what the user's browser does with the address of `authorize`, mostly `sendForm` with the fields of the
 *    simulator's form; `drive.connect(consent)` makes tokens of it;
 * 2. `work(text, …)`: tokens, and then `drive.workWith(tokens, text, …)`, with choices where the platform asks for some;
 * 3. the simulator's switches that tests turn, and names for its requests (`isUpload`, `isStatus`) to strike with faults.
 *
 * A test file begins with `const start = closedAfterTest(startPLATFORM)` (`harness/after-test.ts`) and needs no
 * `afterEach`. From there `walkThrough`, `walkTo` and `move` (`walk.ts`) publish as the publisher does: tokens are
 * renewed, pauses move the clock, a send without proof is looked for, `crashAt` loses one move's result. `films.ts` makes
 * videos of any length; `failureOf` (`walk.ts`) gives the failure of a call that is refused.
 */
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
import { createAddressGuard } from '../../src/connectors/kit/address-guard.ts';
import { createHttp, type HttpRequest, type ManagedHttp } from '../../src/connectors/kit/http.ts';
import type { SimulatorModule } from '../../src/connectors/kit/simulator.ts';
import { type SimulatorOverrides, startSimulator } from '../harness/simulator.ts';
import { filmOf } from './films.ts';

export interface DriveOptions {
  /** Where the platform sends the user's browser back to. */
  redirectUri: string;
  /** Where it differs: no application, `http://127.0.0.1:3000`, registrations in memory, no key of the service. */
  context?: Partial<ConnectContext>;
  /** How long the irreversible request may take, ms; absent: as long as the connector says. */
  patienceMs?: number;
  simulator?: SimulatorOverrides;
}

export interface WorkOptions extends Partial<Omit<Session, 'secret'>> {
  /** A film of 200 kB when absent. */
  media?: Media;
  /** What the post asks of this platform alone; nothing when absent. */
  options?: JsonObject;
}

/** Starts a simulator and all that a connector wants around it. Close it, or start it with `closedAfterTest`. */
export async function startDrive(connector: Connector, module: SimulatorModule, options: DriveOptions) {
  const { redirectUri, patienceMs } = options;
  const clock = { now: Date.UTC(2026, 10, 21, 10) };
  const running = await startSimulator(module, { now: () => clock.now, wire: true, ...options.simulator });
  const { http, asked } = listening(createHttp({ guard: createAddressGuard([], [new URL(running.url).origin]) }));
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
  /** Tokens through the user's consent. @param consent the browser's part: from the address to the callback's query */
  const connect = async (
    consent: (url: string) => Promise<URLSearchParams>,
    input: Partial<Parameters<OAuthFlow['authorize']>[1]> = {},
  ): Promise<Tokens> => {
    const { oauth } = connector;
    if (!oauth) throw new Error('This platform knows no consent.');
    const asking = { state: 'the state', redirectUri, ...input };
    const { url, kept } = await oauth.authorize(context, asking);
    return oauth.exchange(context, { query: await consent(url), redirectUri: asking.redirectUri, kept });
  };
  /** Of the latest session. */
  let latest: { tokens: Tokens } | null = null;
  const renew = async () => {
    const refresh = connector.oauth?.refresh ?? connector.credentials?.refresh;
    if (latest && refresh) latest.tokens = await refresh(context, latest.tokens);
  };
  const spent: string[] = [];
  const open = async (tokens: Tokens, changes: Partial<Omit<Session, 'secret'>> = {}): Promise<Session> => {
    const facts = await connector.identify(context, tokens);
    const held = { tokens };
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
      now: () => clock.now,
    };
    return Object.assign(session, changes);
  };
  const workWith = async (tokens: Tokens, text: string, given: WorkOptions = {}): Promise<Work> => {
    const { media = filmOf(200_000), options = {}, ...changes } = given;
    const post = { targetId: '0193-target', commitNumber: 1, text, previewTimeMs: 1_200, options };
    return { session: await open(tokens, changes), post, media };
  };
  const close = async () => {
    http.close();
    await running.close();
  };
  const patience: { ms: number | null } = { ms: patienceMs ?? null };
  const walking = { connector, http, clock, patience, renew };
  return { ...running, ...walking, context, registrations, asked, spent, connect, open, workWith, close };
}

/** The same client, with a list of what was asked of it, newest last. */
function listening(http: ManagedHttp): { http: ManagedHttp; asked: HttpRequest[] } {
  const asked: HttpRequest[] = [];
  const noted = (request: HttpRequest) => {
    asked.push(request);
    return request;
  };
  const request: ManagedHttp['request'] = (each) => http.request(noted(each));
  const irreversible: ManagedHttp['irreversible'] = (each, how) => http.irreversible(noted(each), how);
  return { http: { request, irreversible, close: () => http.close() }, asked };
}

/** Sends a form as a browser does. @returns where the answer leads; `none:` where it leads nowhere */
export async function sendForm(action: string, body: URLSearchParams): Promise<URL> {
  const answer = await fetch(action, { method: 'POST', body, redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? 'none:');
}

/** What a request of a connector is told by. */
export type Call = { method: string; path: string };
