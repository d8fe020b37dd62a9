/** Raw requests to the Bluesky simulator, independent of the connector. */
import { createHash, generateKeyPairSync, type JsonWebKey, randomUUID, sign } from 'node:crypto';
import type { SimulatorModule } from '../../src/contract.ts';
import { at } from '../../src/json.ts';
import { tidOf } from '../../src/platforms/bluesky/ids.ts';
import { simulator } from '../../src/platforms/bluesky/index.ts';
import { type SimulatorOverrides, startSimulator } from '../harness/simulator.ts';

export interface JsonResponse {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, unknown>;
}

export interface RawInit {
  query?: Record<string, string>;
  json?: unknown;
  form?: Record<string, string>;
  bytes?: Uint8Array;
  type?: string;
  token?: string;
  headers?: Record<string, string>;
}

export const POST = 'app.bsky.feed.post';
export const UPLOAD_BLOB = 'com.atproto.repo.uploadBlob';
export const VIDEO = Buffer.from('not really a film, but it has bytes');

/** Starts a simulator with a test-controlled clock and one account. */
export async function startBluesky(overrides: SimulatorOverrides = {}, module: SimulatorModule = simulator) {
  const clock = { now: Date.UTC(2026, 10, 21, 10) };
  const running = await startSimulator(module, { now: () => clock.now, ...overrides });
  const account = await running.simulator.enrol('nora.test');
  const call = async (method: string, path: string, init: RawInit = {}): Promise<JsonResponse> => {
    const headers = { ...init.headers };
    let body: string | Uint8Array<ArrayBuffer> | URLSearchParams | undefined;
    if (init.json !== undefined) [body, headers['content-type']] = [JSON.stringify(init.json), 'application/json'];
    if (init.form) body = new URLSearchParams(init.form);
    if (init.bytes) body = new Uint8Array(init.bytes);
    if (init.type) headers['content-type'] = init.type;
    if (init.token) headers.authorization = `Bearer ${init.token}`;
    const query = init.query ? `?${new URLSearchParams(init.query)}` : '';
    const response = await fetch(`${running.url}${path}${query}`, {
      method,
      headers,
      body: body ?? null,
      redirect: 'manual',
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
  };
  const get = (nsid: string, query: Record<string, string> = {}, init: RawInit = {}) =>
    call('GET', `/xrpc/${nsid}`, { query, ...init });
  const post = (nsid: string, init: RawInit = {}) => call('POST', `/xrpc/${nsid}`, init);
  const login = async (password = account.credentials?.secret ?? '', identifier = account.username) => {
    const { json } = await post('com.atproto.server.createSession', { json: { identifier, password } });
    return { access: String(json.accessJwt), refresh: String(json.refreshJwt) };
  };
  const { access: token, refresh } = await login();
  const upload = async (bytes: Uint8Array = VIDEO, type = 'video/mp4') => {
    const { json } = await post(UPLOAD_BLOB, { token, bytes, type });
    return at(json, 'blob') as Record<string, unknown>;
  };
  let keys = 0;
  const newKey = () => tidOf(clock.now * 1000 + keys++, 7);
  const recordOf = (blob: unknown, more: object = {}) => ({
    $type: POST,
    text: 'Sunset run',
    createdAt: '2026-11-21T10:00:00.000Z',
    embed: { $type: 'app.bsky.embed.video', video: blob, alt: '', aspectRatio: { width: 1080, height: 1920 } },
    ...more,
  });
  const put = (record: unknown, more: object = {}, init: RawInit = { token }) =>
    post('com.atproto.repo.putRecord', {
      ...init,
      json: { repo: account.remoteId, collection: POST, rkey: newKey(), record, ...more },
    });
  const serviceToken = async (lxm = UPLOAD_BLOB, aud = 'did:web:localhost', seconds = 1800, access = token) => {
    const exp = String(Math.floor(clock.now / 1000) + seconds);
    const { json } = await get('com.atproto.server.getServiceAuth', { aud, lxm, exp }, { token: access });
    return String(json.token);
  };
  const read = (rkey: string) => get('com.atproto.repo.getRecord', { repo: account.remoteId, collection: POST, rkey });
  return {
    ...running,
    clock,
    account,
    did: account.remoteId,
    token,
    refresh,
    call,
    get,
    post,
    login,
    upload,
    newKey,
    recordOf,
    put,
    serviceToken,
    read,
  };
}

/** Returns status and error code of a response. */
export const error = (response: JsonResponse): [number, unknown] => [response.status, response.json.error];

/** Creates a DPoP key that signs proofs. Any claim can be overridden with a wrong value. */
export function proofKey(now: () => number) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk: JsonWebKey = publicKey.export({ format: 'jwk' });
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return (claims: object, header: object = {}): string => {
    const standard = { jti: randomUUID(), iat: Math.floor(now() / 1000) };
    const input = `${encode({ typ: 'dpop+jwt', alg: 'ES256', jwk, ...header })}.${encode({ ...standard, ...claims })}`;
    const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${input}.${signature.toString('base64url')}`;
  };
}

export const sha256url = (text: string): string => createHash('sha256').update(text).digest('base64url');
