/** Raw requests to the Instagram simulator, as any client would send them. */
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { simulator } from '../../src/platforms/instagram/index.ts';
import { type Account, type Login, SCOPES, type Settings } from '../../src/platforms/instagram/records.ts';
import { type RawResponse, sendRaw } from '../harness/raw-http.ts';
import { type RunningSimulator, type SimulatorOverrides, startSimulator } from '../harness/simulator.ts';

export const APP = { client_id: 'sandbox-client', client_secret: 'sandbox-secret' };
export const CALLBACK = 'https://reelay.example/oauth/instagram/callback';
export const DAY_MS = 86_400_000;

/** All fields of the responses. */
interface Body {
  id: string;
  uri: string;
  access_token: string;
  expires_in: number;
  permissions: string;
  user_id: string;
  username: string;
  success: boolean;
  status_code: string;
  status: string;
  permalink: string;
  media_url?: string;
  video_status: { uploading_phase: { status: string; bytes_transferred: number } };
  data: Record<string, string>[];
  paging: { cursors: { after: string }; next?: string };
  error: { code: number; error_subcode?: number; fbtrace_id: string };
  error_message: string;
  debug_info: { retriable: boolean; type: string };
}

export interface JsonResponse extends RawResponse {
  json: Body;
  /** `code/subcode` of a Graph API error, or "". */
  name: string;
}

export interface CallOptions {
  form?: Record<string, string>;
  json?: unknown;
  headers?: Record<string, string>;
  body?: Buffer;
}

export interface Instagram extends RunningSimulator {
  /** The simulator's clock, ms since the epoch; tests advance it. */
  clock: { now: number };
  call(method: string, path: string, options?: CallOptions): Promise<JsonResponse>;
  /** Returns a long-lived token for the account with this username. */
  token(login?: Login, username?: string): Promise<string>;
  igId(username?: string): Promise<string>;
  set(settings: Partial<Settings>): Promise<void>;
  change(account: Partial<Account>): Promise<unknown>;
  /** `POST /{id}/media` as Instagram Login requires it; undefined removes a parameter. */
  container(token: string, changes?: Record<string, string | undefined>): Promise<JsonResponse>;
  status(token: string, container: string, host?: Login): Promise<JsonResponse>;
  publish(token: string, container: string, host?: Login): Promise<JsonResponse>;
}

/** The file that the simulated platform fetches. */
export const FILM = randomBytes(5_000);

export async function startInstagram(overrides: SimulatorOverrides = {}): Promise<Instagram> {
  const clock = { now: Date.now() };
  const fetched: SimulatorOverrides['fetch'] = async (url) => {
    if (!url.startsWith('https://reelay.example/')) return null;
    const gone = url.endsWith('/gone.mp4');
    const headers = { 'content-length': String(FILM.length), 'content-type': 'video/mp4' };
    const cut = url.endsWith('/cut.mp4') ? FILM.subarray(1) : FILM;
    return gone
      ? { status: 404, headers: {}, body: Readable.from([]) }
      : { status: 200, headers, body: Readable.from([cut], { objectMode: false }) };
  };
  const running = await startSimulator(simulator, { now: () => clock.now, fetch: fetched, ...overrides });
  const call: Instagram['call'] = async (method, path, options = {}) => {
    const headers = { ...options.headers };
    if (options.form) headers['content-type'] ??= 'application/x-www-form-urlencoded';
    if (options.json !== undefined) headers['content-type'] ??= 'application/json';
    const text = options.json === undefined ? undefined : JSON.stringify(options.json);
    const body = text ?? (options.form ? new URLSearchParams(options.form).toString() : options.body);
    const response = await sendRaw(path.startsWith('http') ? path : running.url + path, { method, headers, body });
    const json = tryJson(response.text) as Body;
    const { code, error_subcode: subcode } = json?.error ?? {};
    return { ...response, json, name: code === undefined ? '' : subcode ? `${code}/${subcode}` : String(code) };
  };
  const igId = async (username = 'nora.cuts') => (await running.simulator.enrol(username)).remoteId;
  return {
    ...running,
    clock,
    call,
    igId,
    async token(login = 'instagram', username = 'nora.cuts') {
      const before = await running.store.get<Partial<Settings>>('settings', 'app');
      await running.store.put('settings', 'app', { ...before, login });
      const { tokenAnswer } = await running.simulator.enrol(username);
      return String(tokenAnswer?.access_token);
    },
    async set(settings) {
      const before = await running.store.get<Partial<Settings>>('settings', 'app');
      await running.store.put('settings', 'app', { ...before, ...settings });
    },
    change: async (changes) =>
      running.store.change<Account>('account', await igId(), (known) => known && { ...known, ...changes }),
    async container(token, changes = {}) {
      const wanted = {
        access_token: token,
        media_type: 'REELS',
        video_url: 'https://reelay.example/film.mp4',
        caption: 'Sunset run #sea',
        ...changes,
      };
      const given = Object.entries(wanted).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
      const host = token.startsWith('EAA') ? 'facebook' : 'instagram';
      return call('POST', `/graph-${host}/v25.0/${await igId()}/media`, { form: Object.fromEntries(given) });
    },
    status: (token, container, host = 'instagram') =>
      call('GET', `/graph-${host}/v25.0/${container}?fields=status_code,status,video_status&access_token=${token}`),
    publish: async (token, container, host = 'instagram') =>
      call('POST', `/graph-${host}/v25.0/${await igId()}/media_publish`, {
        form: { access_token: token, creation_id: container },
      }),
  };
}

/** Submits the consent page and returns the redirect. */
export async function consentTo(
  instagram: Instagram,
  login: Login,
  query: Record<string, string | undefined> = {},
  form: Record<string, string | string[]> = {},
): Promise<{ status: number; location: string; params: URLSearchParams }> {
  const wanted = {
    client_id: APP.client_id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: SCOPES[login].join(','),
    state: 'the state',
    ...query,
  };
  const given = Object.entries(wanted).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  const address = login === 'facebook' ? '/www-facebook/v25.0/dialog/oauth' : '/www-instagram/oauth/authorize';
  const body = new URLSearchParams({ username: 'nora.cuts', decision: 'allow' });
  for (const scope of SCOPES[login]) body.append('granted', scope);
  for (const [name, value] of Object.entries(form)) {
    body.delete(name);
    for (const each of [value].flat()) body.append(name, each);
  }
  const response = await instagram.call('POST', `${address}?${new URLSearchParams(given)}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(body.toString()),
  });
  const location = response.headers.get('location') ?? '';
  return { status: response.status, location, params: URL.parse(location)?.searchParams ?? new URLSearchParams() };
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
