/** Raw calls to the LinkedIn simulator, independent of the connector. */
import { createHash, randomBytes } from 'node:crypto';
import { simulator } from '../../src/platforms/linkedin/index.ts';
import type { Settings } from '../../src/platforms/linkedin/records.ts';
import { type RawResponse, sendRaw } from '../harness/raw-http.ts';
import { type RunningSimulator, type SimulatorOverrides, startSimulator } from '../harness/simulator.ts';

export const APP = { client_id: 'sandbox-client', client_secret: 'sandbox-secret' };
export const VERSIONED = { 'linkedin-version': '202609', 'x-restli-protocol-version': '2.0.0' };
export const PART = 4_194_304;

export interface JsonResponse extends RawResponse {
  json: Record<string, unknown>;
}

interface CallOptions {
  token?: string;
  json?: unknown;
  form?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer;
}

export interface Opened {
  video: string;
  uploadToken: string;
  uploadUrlsExpireAt: number;
  uploadInstructions: { uploadUrl: string; firstByte: number; lastByte: number }[];
  thumbnailUploadUrl?: string;
}

export interface LinkedIn extends RunningSimulator {
  /** The simulator's clock in ms, controlled by tests. */
  clock: { now: number };
  call(method: string, path: string, options?: CallOptions): Promise<JsonResponse>;
  /** Makes a call with the headers of the versioned API. */
  rest(method: string, path: string, options?: CallOptions): Promise<JsonResponse>;
  set(settings: Settings): Promise<void>;
  /** Returns URN and tokens of an account: `nora` is a page, `in/nora` the member who manages it. */
  account(username?: string): Promise<{ urn: string; token: string; refreshToken: string }>;
  initialize(token: string, owner: string, changes?: object): Promise<JsonResponse>;
  /** Opens an upload. */
  open(token: string, owner: string, bytes: number): Promise<Opened>;
  put(url: string, bytes: Buffer, headers?: Record<string, string>): Promise<JsonResponse>;
  finalize(token: string, request: object): Promise<JsonResponse>;
  /** Uploads and finalizes a video. Returns its URN. */
  upload(token: string, owner: string, bytes?: Buffer): Promise<string>;
  status(token: string, video: string): Promise<unknown>;
  post(token: string, author: string, video: string, changes?: object): Promise<JsonResponse>;
}

export async function startLinkedIn(overrides: SimulatorOverrides = {}): Promise<LinkedIn> {
  const clock = { now: Date.UTC(2026, 10, 21, 10) };
  const running = await startSimulator(simulator, { now: () => clock.now, ...overrides });
  const call = async (method: string, path: string, options: CallOptions = {}): Promise<JsonResponse> => {
    const headers = { ...options.headers };
    if (options.token !== undefined) headers.authorization ??= `Bearer ${options.token}`;
    if (options.json !== undefined) headers['content-type'] ??= 'application/json';
    if (options.form) headers['content-type'] ??= 'application/x-www-form-urlencoded';
    const text = options.json === undefined ? undefined : JSON.stringify(options.json);
    const body = text ?? (options.form ? new URLSearchParams(options.form).toString() : options.body);
    const response = await sendRaw(path.startsWith('http') ? path : running.url + path, { method, headers, body });
    return { ...response, json: tryJson(response.text) as JsonResponse['json'] };
  };
  const linkedin: LinkedIn = {
    ...running,
    clock,
    call,
    rest: (method, path, options = {}) =>
      call(method, path, { ...options, headers: { ...VERSIONED, ...options.headers } }),
    set: (settings) => running.store.put('settings', 'linkedin', settings),
    async account(username = 'nora') {
      const { remoteId: urn, tokenAnswer } = await running.simulator.enrol(username);
      return { urn, token: String(tokenAnswer?.access_token), refreshToken: String(tokenAnswer?.refresh_token) };
    },
    initialize: (token, owner, changes = {}) =>
      linkedin.rest('POST', '/rest/videos?action=initializeUpload', {
        token,
        json: {
          initializeUploadRequest: {
            owner,
            fileSizeBytes: 100_000,
            uploadCaptions: false,
            uploadThumbnail: false,
            ...changes,
          },
        },
      }),
    async open(token, owner, bytes) {
      const { json } = await linkedin.initialize(token, owner, { fileSizeBytes: bytes });
      return json.value as Opened;
    },
    put: (url, bytes, headers = {}) =>
      call('PUT', url, { body: bytes, headers: { 'content-type': 'application/octet-stream', ...headers } }),
    finalize: (token, request) =>
      linkedin.rest('POST', '/rest/videos?action=finalizeUpload', { token, json: { finalizeUploadRequest: request } }),
    async upload(token, owner, bytes = randomBytes(1_000)) {
      const { video, uploadToken, uploadInstructions } = await linkedin.open(token, owner, bytes.length);
      const uploadedPartIds: string[] = [];
      for (const { uploadUrl, firstByte, lastByte } of uploadInstructions)
        uploadedPartIds.push(etagOf(await linkedin.put(uploadUrl, bytes.subarray(firstByte, lastByte + 1))));
      await linkedin.finalize(token, { video, uploadToken, uploadedPartIds });
      return video;
    },
    async status(token, video) {
      return (await linkedin.rest('GET', `/rest/videos/${encodeURIComponent(video)}`, { token })).json.status;
    },
    post: (token, author, video, changes = {}) =>
      linkedin.rest('POST', '/rest/posts', { token, json: postOf(author, video, changes) }),
  };
  return linkedin;
}

export function postOf(author: string, video: string, changes: object = {}): object {
  return {
    author,
    commentary: 'Sunset run \\(part 2\\) #sea',
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    content: { media: { title: 'Sunset run', id: video } },
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
    ...changes,
  };
}

export function etagOf(response: JsonResponse): string {
  return response.headers.get('etag') ?? '';
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
