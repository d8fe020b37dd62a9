import { randomBytes } from 'node:crypto';
/** Raw requests to the Threads simulator, as any client would send them. */
import { simulator } from '../../src/platforms/threads/index.ts';
import { type RawResponse, sendRaw } from '../harness/raw-http.ts';
import { type SimulatorOverrides, startSimulator } from '../harness/simulator.ts';
import { startVideoServer } from '../harness/video-server.ts';

export const REDIRECT = 'https://reelay.example/oauth/threads/callback';
export const SCOPES = 'threads_basic,threads_content_publish';
const APP = { client_id: 'sandbox-client', client_secret: 'sandbox-secret' };

/** All fields of the responses. */
interface Body {
  id: string;
  access_token: string;
  expires_in: number;
  status: string;
  error_message?: string;
  permalink?: string;
  data: Record<string, unknown>[];
  paging: { cursors: { after: string } };
  error: { code: number; error_subcode?: number; message: string };
}

export interface JsonResponse extends RawResponse {
  json: Body;
}

export async function startThreads(overrides: SimulatorOverrides = {}) {
  const clock = { now: Date.UTC(2026, 10, 21, 10) };
  const running = await startSimulator(simulator, { now: () => clock.now, ...overrides });
  const links = await startVideoServer(randomBytes(50_000));
  const call = async (
    method: 'GET' | 'POST',
    path: string,
    parameters: Record<string, string> = {},
  ): Promise<JsonResponse> => {
    const query = new URLSearchParams(parameters).toString();
    const response =
      method === 'GET'
        ? await sendRaw(`${running.url}${path}?${query}`)
        : await sendRaw(`${running.url}${path}`, {
            method,
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            body: query,
          });
    return { ...response, json: tryJson(response.text) as Body };
  };
  /** Submits the consent page. @returns the response and the redirect URL */
  const consent = async (form: Record<string, string | string[]> = {}, asked: Record<string, string> = {}) => {
    const query = new URLSearchParams({
      client_id: APP.client_id,
      redirect_uri: REDIRECT,
      scope: SCOPES,
      response_type: 'code',
      state: 'the state',
      ...asked,
    });
    const body = new URLSearchParams();
    const fields = { username: 'nora.cuts', decision: 'allow', granted: SCOPES.split(','), ...form };
    for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) body.append(name, each);
    const response = await sendRaw(`${running.url}/oauth/authorize?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
    });
    return { response, back: URL.parse(response.headers.get('location') ?? '') };
  };
  const redeem = (code: string, changes: Record<string, string> = {}) =>
    call('POST', '/oauth/access_token', {
      ...APP,
      code,
      grant_type: 'authorization_code',
      redirect_uri: REDIRECT,
      ...changes,
    });
  const lengthen = (token: string, changes: Record<string, string> = {}) =>
    call('GET', '/access_token', {
      grant_type: 'th_exchange_token',
      client_secret: APP.client_secret,
      access_token: token,
      ...changes,
    });
  const prolong = (token: string, changes: Record<string, string> = {}) =>
    call('GET', '/refresh_access_token', { grant_type: 'th_refresh_token', access_token: token, ...changes });
  const token = async (username = 'nora.cuts') =>
    String((await running.simulator.enrol(username)).tokenAnswer?.access_token);
  const create = (access_token: string, changes: Record<string, string> = {}) =>
    call('POST', '/v1.0/me/threads', {
      media_type: 'VIDEO',
      video_url: links.videoUrl,
      text: 'caption #tag',
      access_token,
      ...changes,
    });
  const status = async (access_token: string, id: string) =>
    (await call('GET', `/v1.0/${id}`, { fields: 'id,status,error_message', access_token })).json;
  const publish = (access_token: string, creation_id: string) =>
    call('POST', '/v1.0/me/threads_publish', { creation_id, access_token });
  const close = async () => {
    await running.close();
    await links.close();
  };
  const helpers = { consent, redeem, lengthen, prolong, token, create, status, publish };
  return { ...running, clock, links, film: links.video, call, ...helpers, close };
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
