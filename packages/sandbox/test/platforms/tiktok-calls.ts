/** Raw requests to the TikTok simulator, as any client would send them. */
import { createHash, randomBytes } from 'node:crypto';
import { simulator } from '../../src/platforms/tiktok/index.ts';
import { SCOPES } from '../../src/platforms/tiktok/records.ts';
import { grantTokens } from '../../src/platforms/tiktok/tokens.ts';
import { createSerial } from '../../src/store/serial.ts';
import { type RawResponse, sendRaw } from '../harness/raw-http.ts';
import { type RunningSimulator, type SimulatorOverrides, startSimulator } from '../harness/simulator.ts';

export const APP = { client_key: 'sandbox-client', client_secret: 'sandbox-secret' };

/** The envelope of the data endpoints, with the fields of all of them. */
interface Envelope {
  data: {
    publish_id: string;
    upload_url: string;
    status: string;
    publicaly_available_post_id: unknown[];
    uploaded_bytes: number;
    user: Record<string, string>;
    videos: Record<'id' | 'title' | 'video_description' | 'share_url', string>[];
    cursor: number;
    has_more: boolean;
  };
  error: { code: string };
}

/** The flat format of the OAuth endpoints. */
interface OAuthBody {
  access_token?: string;
  refresh_token?: string;
  open_id?: string;
  scope?: string;
  error?: string;
}

export interface JsonResponse extends RawResponse {
  json: Envelope;
  /** The same body, typed as a response of the OAuth endpoints. */
  flat: OAuthBody;
}

export interface TikTok extends RunningSimulator {
  /** The simulator's clock, ms since the epoch; tests advance it. */
  clock: { now: number };
  call(method: string, path: string, options?: CallOptions): Promise<JsonResponse>;
  /** Returns a token for the account with this username. */
  token(username?: string, scopes?: readonly string[]): Promise<string>;
  init(token: string, post?: object, source?: object): Promise<JsonResponse>;
  put(
    url: string,
    bytes: Buffer,
    first: number,
    total: number,
    headers?: Record<string, string>,
  ): Promise<JsonResponse>;
  status(token: string, publishId: string): Promise<JsonResponse>;
  /** Posts `bytes` as one chunk. @returns the publish id */
  post(token: string, title: string, bytes?: Buffer, post?: object): Promise<string>;
}

interface CallOptions {
  token?: string;
  json?: unknown;
  form?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer;
}

export async function startTikTok(overrides: SimulatorOverrides = {}): Promise<TikTok> {
  const clock = { now: Date.now() };
  const running = await startSimulator(simulator, { now: () => clock.now, ...overrides });
  const call = async (method: string, path: string, options: CallOptions = {}): Promise<JsonResponse> => {
    const headers = { ...options.headers };
    if (options.token !== undefined) headers.authorization ??= `Bearer ${options.token}`;
    if (options.json !== undefined) headers['content-type'] ??= 'application/json; charset=UTF-8';
    if (options.form) headers['content-type'] ??= 'application/x-www-form-urlencoded';
    const text = options.json === undefined ? undefined : JSON.stringify(options.json);
    const body = text ?? (options.form ? new URLSearchParams(options.form).toString() : options.body);
    const response = await sendRaw(path.startsWith('http') ? path : running.url + path, { method, headers, body });
    const parsed = tryJson(response.text);
    return { ...response, json: parsed as Envelope, flat: parsed as OAuthBody };
  };
  const tiktok: TikTok = {
    ...running,
    clock,
    call,
    async token(username = 'nora.cuts', scopes = SCOPES) {
      const { remoteId } = await running.simulator.enrol(username);
      const options = { ...running, baseUrl: running.url, now: () => clock.now };
      const limits = {
        serial: createSerial(),
        limits: false,
        processingMs: 0,
        fetch: async () => null,
        app: { clientId: '', clientSecret: '' },
      };
      return String((await grantTokens({ ...options, ...limits }, remoteId, scopes)).access_token);
    },
    init: (token, post = {}, source = {}) =>
      call('POST', '/v2/post/publish/video/init/', {
        token,
        json: { post_info: postInfo(post), source_info: sourceInfo(source) },
      }),
    put: (url, bytes, first, total, headers = {}) =>
      call('PUT', url, {
        body: bytes,
        headers: {
          'content-type': 'video/mp4',
          'content-range': `bytes ${first}-${first + bytes.length - 1}/${total}`,
          ...headers,
        },
      }),
    status: (token, publishId) =>
      call('POST', '/v2/post/publish/status/fetch/', { token, json: { publish_id: publishId } }),
    async post(token, title, bytes = randomBytes(1000), post = {}) {
      const { json } = await tiktok.init(token, { title, ...post }, single(bytes.length));
      await tiktok.put(json.data.upload_url, bytes, 0, bytes.length);
      return json.data.publish_id;
    },
  };
  return tiktok;
}

function postInfo(changes: object = {}): object {
  return {
    title: 'caption #tag',
    privacy_level: 'PUBLIC_TO_EVERYONE',
    disable_duet: false,
    disable_comment: false,
    disable_stitch: false,
    video_cover_timestamp_ms: 1200,
    brand_content_toggle: false,
    brand_organic_toggle: false,
    ...changes,
  };
}

function sourceInfo(changes: object = {}): object {
  return { source: 'FILE_UPLOAD', ...single(1000), ...changes };
}

export function single(size: number): object {
  return { video_size: size, chunk_size: size, total_chunk_count: 1 };
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
