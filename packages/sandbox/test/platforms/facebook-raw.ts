/** Raw requests to the Facebook simulator, as any client would send them. */
import { simulator } from '../../src/platforms/facebook/index.ts';
import { type RawResponse, sendRaw } from '../harness/raw-http.ts';
import { type SimulatorOverrides, startSimulator } from '../harness/simulator.ts';

export const REDIRECT = 'https://reelay.example/oauth/facebook/callback';
export const SCOPES = 'pages_show_list,pages_read_engagement,pages_manage_posts';

/** All fields of the responses. */
interface Body {
  id: string;
  access_token: string;
  expires_in: number;
  success: boolean;
  video_id: string;
  upload_url: string;
  published: boolean;
  permalink_url: string;
  status: {
    video_status: string;
    uploading_phase: { status: string; bytes_transferred: number };
    processing_phase: { status: string; error?: { code: number } };
    publishing_phase: { status: string; publish_status?: string; publish_time?: number };
  };
  data: Record<string, unknown>[];
  paging: { cursors: { after: string }; next?: string };
  error: { code: number; error_subcode?: number; message: string };
  debug_info: { type: string; retriable: boolean; message: string };
}

export interface JsonResponse extends RawResponse {
  json: Body;
}

interface CallOptions {
  headers?: Record<string, string>;
  form?: Record<string, string>;
  json?: unknown;
  body?: Buffer;
}

export async function startFacebook(overrides: SimulatorOverrides = {}) {
  const clock = { now: Date.UTC(2026, 10, 21, 10) };
  const running = await startSimulator(simulator, { now: () => clock.now, ...overrides });
  const call = async (method: string, path: string, options: CallOptions = {}): Promise<JsonResponse> => {
    const headers = { ...options.headers };
    if (options.form) headers['content-type'] = 'application/x-www-form-urlencoded';
    if (options.json !== undefined) headers['content-type'] = 'application/json';
    const text = options.form ? new URLSearchParams(options.form).toString() : JSON.stringify(options.json);
    const body = options.body ?? text;
    const response = await sendRaw(path.startsWith('http') ? path : `${running.url}${path}`, { method, headers, body });
    return { ...response, json: tryJson(response.text) as Body };
  };
  const graph = (method: string, path: string, parameters: Record<string, string> = {}): Promise<JsonResponse> =>
    method === 'GET' || method === 'DELETE'
      ? call(method, `/v25.0${path}?${new URLSearchParams(parameters)}`)
      : call(method, `/v25.0${path}`, { form: parameters });
  /** Submits the dialog. @returns the response and the redirect URL */
  const consent = async (form: Record<string, string | string[]> = {}, asked: Record<string, string> = {}) => {
    const query = new URLSearchParams({
      client_id: 'sandbox-client',
      redirect_uri: REDIRECT,
      state: 'the state',
      response_type: 'code',
      scope: SCOPES,
      ...asked,
    });
    const body = new URLSearchParams();
    const fields = { username: 'nora.cuts', decision: 'allow', granted: SCOPES.split(','), ...form };
    for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) body.append(name, each);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await call('POST', `/v25.0/dialog/oauth?${query}`, {
      headers,
      body: Buffer.from(body.toString()),
    });
    return { response, back: URL.parse(response.headers.get('location') ?? '') };
  };
  const redeem = (code: string, changes: Record<string, string> = {}) =>
    graph('GET', '/oauth/access_token', {
      client_id: 'sandbox-client',
      client_secret: 'sandbox-secret',
      redirect_uri: REDIRECT,
      code,
      ...changes,
    });
  const lengthen = (token: string, changes: Record<string, string> = {}) =>
    graph('GET', '/oauth/access_token', {
      grant_type: 'fb_exchange_token',
      client_id: 'sandbox-client',
      client_secret: 'sandbox-secret',
      fb_exchange_token: token,
      ...changes,
    });
  /** Returns the Page with this username and its token. */
  const page = async (username = 'nora.cuts') => {
    const { remoteId, tokenAnswer } = await running.simulator.enrol(username);
    const user = String(tokenAnswer?.access_token);
    const { json } = await graph('GET', `/${remoteId}`, { fields: 'access_token', access_token: user });
    return { id: remoteId, user, token: json.access_token };
  };
  type Page = Awaited<ReturnType<typeof page>>;
  const begin = ({ id, token }: Page) =>
    graph('POST', `/${id}/video_reels`, { upload_phase: 'start', access_token: token });
  const transfer = (url: string, bytes: Buffer, token: string, headers: Record<string, string> = {}) =>
    call('POST', url, {
      body: bytes,
      headers: {
        authorization: `OAuth ${token}`,
        offset: '0',
        file_size: String(bytes.length),
        'content-type': 'application/octet-stream',
        ...headers,
      },
    });
  const finish = ({ id, token }: Page, videoId: string, changes: Record<string, string> = {}) =>
    graph('POST', `/${id}/video_reels`, {
      upload_phase: 'finish',
      video_id: videoId,
      video_state: 'PUBLISHED',
      description: 'caption #tag',
      access_token: token,
      ...changes,
    });
  const status = async ({ token }: Page, videoId: string) =>
    (await graph('GET', `/${videoId}`, { fields: 'status,published,permalink_url', access_token: token })).json;
  /** Opens a video and uploads it. */
  const uploaded = async (owner: Page, bytes: Buffer) => {
    const { json } = await begin(owner);
    await transfer(json.upload_url, bytes, owner.token);
    return json.video_id;
  };
  /** Sets a video's thumbnail with a multipart form. */
  const picture = async (videoId: string, fields: Record<string, string>, file: Blob | null): Promise<JsonResponse> => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    if (file) form.set('source', file, 'cover.jpg');
    const sent = new Response(form);
    const headers = { 'content-type': sent.headers.get('content-type') ?? '' };
    return call('POST', `/v25.0/${videoId}/thumbnails`, { headers, body: Buffer.from(await sent.arrayBuffer()) });
  };
  const uploads = { begin, transfer, finish, status, uploaded, picture };
  const helpers = { clock, call, graph, consent, redeem, lengthen, page, ...uploads };
  return { ...running, ...helpers };
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
