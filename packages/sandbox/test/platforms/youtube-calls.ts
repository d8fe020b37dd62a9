/** Raw requests to the YouTube simulator, as any client would send them. */
import { createHash, randomBytes } from 'node:crypto';
import type { JsonObject } from '../../src/json.ts';
import { at } from '../../src/json.ts';
import { simulator } from '../../src/platforms/youtube/index.ts';
import { type Account, type AppSettings, SETTINGS, type Video } from '../../src/platforms/youtube/records.ts';
import { grantTokens } from '../../src/platforms/youtube/tokens.ts';
import { createSerial } from '../../src/store/serial.ts';
import { type RawResponse, sendRaw } from '../harness/raw-http.ts';
import { type SimulatorOverrides, startSimulator } from '../harness/simulator.ts';

export const GRANULE = 262_144;
export const SCOPES = [
  'https://www.googleapis.com/auth/youtube.upload',
  'https://www.googleapis.com/auth/youtube.readonly',
];
export const APP = { client_id: 'sandbox-client', client_secret: 'sandbox-secret' };

export interface JsonResponse extends RawResponse {
  json: JsonObject;
  /** `error.errors[0].reason`, or undefined. */
  reason: unknown;
}

interface CallOptions {
  token?: string;
  json?: unknown;
  form?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer;
}

export async function startYouTube(overrides: SimulatorOverrides = {}) {
  const clock = { now: Date.UTC(2026, 10, 21, 10) };
  const running = await startSimulator(simulator, { now: () => clock.now, ...overrides });
  const { store, blobs, url } = running;
  const call = async (method: string, path: string, options: CallOptions = {}): Promise<JsonResponse> => {
    const headers = { ...options.headers };
    if (options.token !== undefined) headers.authorization ??= `Bearer ${options.token}`;
    if (options.json !== undefined) headers['content-type'] ??= 'application/json; charset=UTF-8';
    if (options.form) headers['content-type'] ??= 'application/x-www-form-urlencoded';
    const text = options.json === undefined ? undefined : JSON.stringify(options.json);
    const body = text ?? (options.form ? new URLSearchParams(options.form).toString() : options.body);
    if (body !== undefined) headers['content-length'] ??= String(Buffer.byteLength(body));
    const response = await sendRaw(path.startsWith('http') ? path : url + path, { method, headers, body });
    const json = tryJson(response.text);
    return { ...response, json, reason: at(json, 'error', 'errors', 0, 'reason') };
  };
  /** Returns a token for the channel with this username. */
  const token = async (username = 'nora.cuts', scopes: readonly string[] = SCOPES) => {
    const { remoteId } = await running.simulator.enrol(username);
    const rest = { limits: false, processingMs: 0, fetch: async () => null, app: { clientId: '', clientSecret: '' } };
    const response = await grantTokens(
      { store, blobs, baseUrl: url, now: () => clock.now, serial: createSerial(), ...rest },
      remoteId,
      scopes,
    );
    return String(response.access_token);
  };
  const start = (by: string, size: number, changes: StartChanges = {}) => {
    const { snippet, status, headers = {}, query = {}, json } = changes;
    const asked = new URLSearchParams({ uploadType: 'resumable', part: 'snippet,status', ...query });
    return call('POST', `/upload/youtube/v3/videos?${asked}`, {
      token: by,
      json: json ?? {
        snippet: { title: 'A title', description: 'A text', ...snippet },
        status: { privacyStatus: 'public', ...status },
      },
      headers: { 'x-upload-content-length': String(size), 'x-upload-content-type': 'video/mp4', ...headers },
    });
  };
  const put = (uri: string, bytes: Buffer, first: number, total: number, headers: Record<string, string> = {}) =>
    call('PUT', uri, {
      body: bytes,
      headers: {
        'content-type': 'video/mp4',
        'content-range': `bytes ${first}-${first + bytes.length - 1}/${total}`,
        ...headers,
      },
    });
  const ask = (uri: string, total: number, headers: Record<string, string> = {}) =>
    call('PUT', uri, { headers: { 'content-length': '0', 'content-range': `bytes */${total}`, ...headers } });
  const uriOf = (response: JsonResponse) => response.headers.get('location') ?? '';
  /** Uploads a video in one request. @returns its id */
  const upload = async (by: string, changes: StartChanges = {}, bytes = randomBytes(1_000)) => {
    const uri = uriOf(await start(by, bytes.length, changes));
    return String((await put(uri, bytes, 0, bytes.length)).json.id);
  };
  const list = (what: string, by: string, query: Record<string, string>) =>
    call('GET', `/youtube/v3/${what}?${new URLSearchParams(query)}`, { token: by });
  const set = (settings: Partial<AppSettings>) => store.put(...SETTINGS, settings);
  const changeAccount = async (changes: Partial<Account>, username = 'nora.cuts') => {
    const { remoteId } = await running.simulator.enrol(username);
    await store.change<Account>('account', remoteId, (known) => known && { ...known, ...changes });
  };
  const changeVideo = (id: string, changes: Partial<Video>) =>
    store.change<Video>('video', id, (known) => known && { ...known, ...changes });
  return { ...running, clock, call, token, start, put, ask, uriOf, upload, list, set, changeAccount, changeVideo };
}

export type YouTube = Awaited<ReturnType<typeof startYouTube>>;

interface StartChanges {
  snippet?: JsonObject;
  status?: JsonObject;
  headers?: Record<string, string>;
  query?: Record<string, string>;
  /** Replaces the whole body. */
  json?: unknown;
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function tryJson(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return {};
  }
}
