import { createHmac } from 'node:crypto';
import type { App, Endpoints, Json, JsonObject, Session } from '../contract.ts';
import { saidAt } from '../kit/clock.ts';
import { PlatformError } from '../kit/failure.ts';
import type { HttpAnswer, HttpClient } from '../kit/http.ts';
import { at, textAt } from '../kit/json.ts';
import { failureOf } from './classify.ts';
import { VERSION } from './limits.ts';

export type Login = 'instagram' | 'facebook';

/** A token, and the host that it is good for. */
export interface Caller {
  http: HttpClient;
  endpoints: Endpoints;
  login: Login;
  token: string;
  /** The application that the token was given to, where calls have to prove that we know its secret; else null. */
  app: App | null;
}

/** An answer that was no refusal. */
export interface Said {
  body: Json;
  /** ms since the epoch by the platform's own clock, or null where it did not say */
  saidAt: number | null;
}

export function loginOf(secret: JsonObject): Login {
  return textAt(secret, 'login') === 'facebook' ? 'facebook' : 'instagram';
}

/** With Facebook's login an account is spoken for by its Page's token where we have one, else by the user's. */
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
 * What says who calls: the token, and with Facebook's login the proof that we know the application's secret, which an
 * application may be set to demand ("Securing Graph API Requests").
 */
export function credentialsOf({ token, app }: Pick<Caller, 'token' | 'app'>): Record<string, string> {
  const proof = app && createHmac('sha256', app.clientSecret).update(token).digest('hex');
  return { access_token: token, ...(proof ? { appsecret_proof: proof } : {}) };
}

/** Address of something of the Graph API; each login has its host. */
export function graphUrl({ endpoints, login }: Pick<Caller, 'endpoints' | 'login'>, path: string): string {
  return `${login === 'facebook' ? endpoints.facebookGraph : endpoints.instagramGraph}/${VERSION}/${path}`;
}

/** @throws PlatformError */
export async function get(caller: Caller, path: string, query: Record<string, string>): Promise<Said> {
  const parameters = new URLSearchParams({ ...query, ...credentialsOf(caller) });
  return said(await caller.http({ method: 'GET', url: `${graphUrl(caller, path)}?${parameters}` }));
}

/** @param deadlineMs until the whole answer is there @throws PlatformError */
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

/** Whatever has an error body, or is no JSON object, is a refusal. @throws PlatformError */
export function said(answer: HttpAnswer): Said {
  const body = answer.tryJson();
  const isObject = body !== null && typeof body === 'object' && !Array.isArray(body);
  if (answer.status !== 200 || !isObject || at(body, 'error') !== undefined) throw new PlatformError(failureOf(answer));
  return { body, saidAt: saidAt(answer) };
}
