/** Raw requests to the X simulator, as any client would send them. */
import { createHash } from 'node:crypto';
import { simulator } from '../../src/platforms/x/index.ts';
import { type Account, SWITCHES, type XSwitches } from '../../src/platforms/x/records.ts';
import { type RawResponse, sendRaw } from '../harness/raw-http.ts';
import { type SimulatorOverrides, startSimulator } from '../harness/simulator.ts';

export const BASIC = `Basic ${Buffer.from('sandbox-client:sandbox-secret').toString('base64')}`;

/** All fields of the data endpoints' responses. */
interface Body {
  data?: {
    id: string;
    text: string;
    media_key: string;
    expires_after_secs: number;
    expires_at: number;
    size: number;
    processing_info?: { state: string; check_after_secs?: number; progress_percent?: number; error?: { code: number } };
    [name: string]: unknown;
  };
  detail?: string;
  title?: string;
  type?: string;
  status?: number;
  errors?: { message?: string; type?: string; parameters?: Record<string, string[]> }[];
  meta?: { result_count: number; next_token?: string; newest_id?: string };
  includes?: { media: { media_key: string; type: string }[] };
}

/** Response of the OAuth endpoints. */
interface Tokens {
  access_token?: string;
  refresh_token?: string;
  expires_in?: number;
  scope?: string;
  token_type?: string;
  error?: string;
  error_description?: string;
  revoked?: boolean;
}

export interface JsonResponse extends RawResponse {
  json: Body;
  /** `data` if it is a list. */
  list: { id: string; text: string; created_at?: string; attachments?: { media_keys: string[] } }[];
  flat: Tokens;
}

interface CallOptions {
  token?: string;
  json?: unknown;
  form?: Record<string, string> | URLSearchParams;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

export async function startX(overrides: SimulatorOverrides = {}) {
  const clock = { now: Date.UTC(2026, 10, 21, 10) };
  const running = await startSimulator(simulator, { now: () => clock.now, ...overrides });
  const call = async (method: string, path: string, options: CallOptions = {}): Promise<JsonResponse> => {
    const headers = { ...options.headers };
    if (options.token !== undefined) headers.authorization ??= `Bearer ${options.token}`;
    if (options.json !== undefined) headers['content-type'] ??= 'application/json';
    if (options.form) headers['content-type'] ??= 'application/x-www-form-urlencoded';
    const text = options.json === undefined ? undefined : JSON.stringify(options.json);
    const body = text ?? (options.form ? new URLSearchParams(options.form).toString() : options.body);
    const response = await sendRaw(running.url + path, { method, headers, body });
    const parsed = tryJson(response.text) as { data?: unknown } | undefined;
    const list = (Array.isArray(parsed?.data) ? parsed.data : []) as JsonResponse['list'];
    return { ...response, json: parsed as Body, flat: parsed as Tokens, list };
  };
  /** Returns a token with every scope for the account with this username. */
  const token = async (username = 'nora') =>
    String((await running.simulator.enrol(username)).tokenAnswer?.access_token);
  const accountId = async (username = 'nora') => (await running.simulator.enrol(username)).remoteId;
  const changeAccount = async (changes: Partial<Account>, username = 'nora') =>
    running.store.change<Account>('account', await accountId(username), (known) => known && { ...known, ...changes });
  const set = (switches: XSwitches) => running.store.put(...SWITCHES, switches);
  const initialize = (access: string, json: object = {}) =>
    call('POST', '/2/media/upload/initialize', {
      token: access,
      json: { media_type: 'video/mp4', media_category: 'tweet_video', total_bytes: 1_000, ...json },
    });
  const append = (
    access: string,
    id: string,
    index: number | string,
    bytes: Buffer,
    more: Record<string, string> = {},
  ) =>
    call('POST', `/2/media/upload/${id}/append`, {
      token: access,
      ...multipart({ segment_index: String(index), ...more }, bytes),
    });
  const finalize = (access: string, id: string) => call('POST', `/2/media/upload/${id}/finalize`, { token: access });
  const status = (access: string, id: string) =>
    call('GET', `/2/media/upload?command=STATUS&media_id=${id}`, { token: access });
  /** Uploads and finalizes these bytes. */
  const upload = async (access: string, bytes: Buffer, json: object = {}) => {
    const { data } = (await initialize(access, { total_bytes: bytes.length, ...json })).json;
    const id = data?.id ?? '';
    await append(access, id, 0, bytes);
    await finalize(access, id);
    return { id, key: data?.media_key ?? '' };
  };
  const post = (access: string, json: object) => call('POST', '/2/tweets', { token: access, json });
  const list = async (access: string, query = '') =>
    call('GET', `/2/users/${await accountId()}/tweets${query && `?${query}`}`, { token: access });
  return {
    ...running,
    clock,
    call,
    token,
    accountId,
    changeAccount,
    set,
    initialize,
    append,
    finalize,
    status,
    upload,
    post,
    list,
  };
}

export type X = Awaited<ReturnType<typeof startX>>;

/** A multipart form with fields and one file named `media`. */
export function multipart(fields: Record<string, string>, bytes: Buffer | null, boundary = 'a-boundary') {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="media"; filename="blob"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(parts.join('')),
    ...(bytes ? [Buffer.from(file), bytes, Buffer.from('\r\n')] : []),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
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
