/** Graph API calls with either login. */
import { createHmac } from 'node:crypto';
import type { HttpClient, HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { App, Endpoints, Json, JsonObject, Session } from '../contract.ts';
import { saidAt } from '../kit/clock.ts';
import { at, textAt } from '../kit/json.ts';
import { failureOf } from './classify.ts';
import { VERSION } from './limits.ts';

export type Login = 'instagram' | 'facebook';

/** A token and the host that accepts it. */
export interface Caller {
  http: HttpClient;
  endpoints: Endpoints;
  login: Login;
  token: string;
  /** The app that the token was issued to, if calls must prove knowledge of its secret; else null. */
  app: App | null;
}

/** A successful response. */
export interface Said {
  body: Json;
  /** Time of the response by the platform's clock, ms since the epoch; null if not stated. */
  saidAt: number | null;
}

export function loginOf(secret: JsonObject): Login {
  return textAt(secret, 'login') === 'facebook' ? 'facebook' : 'instagram';
}

/** With Facebook Login, uses the Page token if there is one, else the user token. */
export function callerOf({
  http,
  endpoints,
  secret,
  remoteId,
  apps,
}: Pick<Session, 'http' | 'endpoints' | 'secret' | 'remoteId' | 'apps'>): Caller {
  const token = textAt(secret, 'pages', remoteId) || textAt(secret, 'accessToken');
  const login = loginOf(secret);
  return { http, endpoints, login, token, app: login === 'facebook' ? (apps.facebook ?? null) : null };
}

/**
 * Returns the token and, with Facebook Login, `appsecret_proof`. Apps can require the proof ("Securing Graph API
 * Requests").
 */
export function credentialsOf({ token, app }: Pick<Caller, 'token' | 'app'>): Record<string, string> {
  const proof = app && createHmac('sha256', app.clientSecret).update(token).digest('hex');
  return { access_token: token, ...(proof ? { appsecret_proof: proof } : {}) };
}

/** Builds a Graph API URL; each login has its own host. */
export function graphUrl({ endpoints, login }: Pick<Caller, 'endpoints' | 'login'>, path: string): string {
  return `${login === 'facebook' ? endpoints.facebookGraph : endpoints.instagramGraph}/${VERSION}/${path}`;
}

/** @throws PlatformError */
export async function get(caller: Caller, path: string, query: Record<string, string>): Promise<Said> {
  const parameters = new URLSearchParams({ ...query, ...credentialsOf(caller) });
  return said(await caller.http({ method: 'GET', url: `${graphUrl(caller, path)}?${parameters}` }));
}

/** @param deadlineMs until the response is complete @throws PlatformError */
export async function post(
  caller: Caller,
  path: string,
  form: Record<string, string>,
  deadlineMs: number,
): Promise<Said> {
  const url = graphUrl(caller, path);
  const request = { method: 'POST', url, form: { ...form, ...credentialsOf(caller) }, deadlineMs } as const;
  return said(await caller.http(request));
}

/** Parses a response. An error body or anything but a JSON object counts as a failure. @throws PlatformError */
export function said(response: HttpResponse): Said {
  const body = response.tryJson();
  const isObject = body !== null && typeof body === 'object' && !Array.isArray(body);
  if (response.status !== 200 || !isObject || at(body, 'error') !== undefined)
    throw new PlatformError(failureOf(response));
  return { body, saidAt: saidAt(response) };
}
