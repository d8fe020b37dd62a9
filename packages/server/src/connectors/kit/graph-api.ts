/** A client for the Graph API, which several platforms use on different hosts. */
import { createHmac } from 'node:crypto';
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import type { HttpClient, HttpResponse } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { App, IrreversibleRequest, JsonObject, Media } from '../contract.ts';
import { platformNow } from './clock.ts';
import { isFailure } from './failures.ts';
import { at, listAt, numberAt, textAt } from './json.ts';
import { LIST_BYTES, type Page } from './pages.ts';
import { transferMs } from './requests.ts';

/** Lifetime of a long-lived token if the response states none ("60 days"), seconds. */
export const LONG_LIVED_SECONDS = (60 * DAY) / SECOND;
/** Tolerance for whole-second timestamps and network delay. */
export const CLOCK_SLACK_MS = 10 * SECOND;

type Fields = Readonly<Record<string, string>>;

export interface GraphAccess {
  http: HttpClient;
  /** Base URL with the version. */
  base: string;
  token: string;
  /** The application, if calls must prove that we know its secret ("Securing Graph API Requests"). */
  app?: App | null;
  now: () => number;
  /** Maps an error response to a failure. Never throws. */
  failureOf: (response: HttpResponse) => Failure;
}

/** Calls throw a PlatformError unless the response is 200 with an object without `error`. */
export interface GraphApi {
  get(path: string, query?: Fields): Promise<JsonObject>;
  /** @param deadlineMs until the response is complete */
  post(path: string, form: Fields, deadlineMs?: number): Promise<JsonObject>;
  delete(path: string): Promise<JsonObject>;
  /** Reads the page of a list at a cursor; "" for the first. */
  list(path: string, query: Fields, cursor?: string): Promise<GraphPage>;
  /** Builds an irreversible request. */
  publish(path: string, form: Fields): IrreversibleRequest;
  /** Adds the token and the proof. */
  signed(fields: Fields): Record<string, string>;
  url(path: string): string;
}

export interface GraphPage extends Page<unknown> {
  /** Cursor after the last item, also if the platform does not say whether more follow; "" for an empty page. */
  after: string;
  /** Offset of the platform's clock to ours in ms (positive: ahead); 0 if not stated. */
  aheadMs: number;
}

export function graphApi({ http, base, token, app, now, failureOf }: GraphAccess): GraphApi {
  const url = (path: string) => `${base}/${path}`;

  function signed(fields: Fields): Record<string, string> {
    const proof = app && createHmac('sha256', app.clientSecret).update(token).digest('hex');
    return { ...fields, access_token: token, ...(proof ? { appsecret_proof: proof } : {}) };
  }

  const withQuery = (method: 'GET' | 'DELETE', path: string, query: Fields, maxResponseBytes?: number) =>
    http({ method, url: `${url(path)}?${new URLSearchParams(signed(query))}`, maxResponseBytes });

  async function list(path: string, query: Fields, cursor = ''): Promise<GraphPage> {
    const response = await withQuery('GET', path, cursor ? { ...query, after: cursor } : query, LIST_BYTES);
    const body = graphBody(response, failureOf);
    // The next page's URL is not used, because it contains a token.
    const after = textAt(body, 'paging', 'cursors', 'after');
    const next = textAt(body, 'paging', 'next') && after;
    return { items: listAt(body, 'data'), aheadMs: platformNow(response, now()) - now(), next, after };
  }

  return {
    get: async (path, query = {}) => graphBody(await withQuery('GET', path, query), failureOf),
    async post(path, form, deadlineMs) {
      const deadline = deadlineMs === undefined ? {} : { deadlineMs };
      return graphBody(await http({ method: 'POST', url: url(path), form: signed(form), ...deadline }), failureOf);
    },
    delete: async (path) => graphBody(await withQuery('DELETE', path, {}), failureOf),
    list,
    publish(path, form) {
      const bytes = new URLSearchParams(signed(form)).toString();
      const body = { kind: 'bytes', bytes, type: 'application/x-www-form-urlencoded' } as const;
      return { method: 'POST', url: url(path), headers: {}, body, deadlineMs: MINUTE };
    },
    signed,
    url,
  };
}

/** Returns the body of a successful response. @throws PlatformError */
export function graphBody(response: HttpResponse, failureOf: GraphAccess['failureOf']): JsonObject {
  const body = response.tryJson();
  const isObject = body !== null && typeof body === 'object' && !Array.isArray(body);
  if (response.status === 200 && isObject && at(body, 'error') === undefined) return body;
  throw new PlatformError(failureOf(response));
}

/** Whether a response reports success without an id. */
export function hasSucceeded(response: HttpResponse): boolean {
  return response.status === 200 && at(response.tryJson(), 'success') === true;
}

/** The platform does not have an object or does not show it to us. */
export const GONE = '100/33';

export function isGone(error: unknown): boolean {
  return error instanceof PlatformError && error.failure.platformCode === GONE;
}

/** Parses a timestamp (`2026-11-21T10:00:00+0000`) to ms since the epoch, or null. */
export function graphTime(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT/.test(text)) return null;
  const time = Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(time) ? null : time;
}

/** Lists the permissions that the user granted. @throws PlatformError */
export async function grantedScopes(api: GraphApi): Promise<string[]> {
  return listAt(await api.get('me/permissions'), 'data')
    .filter((each) => textAt(each, 'status') === 'granted')
    .map((each) => textAt(each, 'permission'))
    .filter(Boolean);
}

/** Returns the app-scoped id of the person whose token this is. @throws PlatformError */
export async function personOf(api: GraphApi): Promise<string> {
  return textAt(await api.get('me', { fields: 'id' }), 'id');
}

/**
 * Removes the application from the person, with all accounts that were connected through it. An invalid token has
 * nothing left to remove. @throws PlatformError after a temporary failure
 */
export async function removeApplication(api: GraphApi): Promise<void> {
  try {
    await api.delete('me/permissions');
  } catch (error) {
    if (!(error instanceof PlatformError) || isFailure(error, 'transient', 'rateLimited')) throw error;
  }
}

/** Whether the daily posts are used up, by the platform's own count. @throws PlatformError */
export async function isQuotaUsed(api: GraphApi, path: string): Promise<boolean> {
  const body = await api.get(path, { fields: 'config,quota_usage' });
  const usage = numberAt(body, 'data', 0, 'quota_usage');
  const total = numberAt(body, 'data', 0, 'config', 'quota_total');
  return usage !== null && total !== null && total > 0 && usage >= total;
}

/** Sends the rest of a file to the upload host in one request. If it breaks, the bytes already received still count. */
export function uploadRest(
  http: HttpClient,
  { url, token, media, offset }: { url: string; token: string; media: Media; offset: number },
): Promise<HttpResponse> {
  const length = media.bytes - offset;
  return http({
    method: 'POST',
    url,
    headers: { authorization: `OAuth ${token}`, offset: String(offset), file_size: String(media.bytes) },
    body: {
      kind: 'stream',
      length,
      type: 'application/octet-stream',
      open: () => media.stream({ first: offset, last: media.bytes - 1 }),
    },
    deadlineMs: transferMs(length, { responseMs: MINUTE, bytesPerMs: 125 }),
  });
}

/** This many publish requests are sent without delay; each later one waits longer, by this much. */
const FAST_SENDS = 3;
const SEND_DELAY_MS = HOUR / 2;

/** Delay in ms before the publish request may be sent again. @param sentAt when the last one was prepared */
export function resendDelay({ sends, sentAt }: { sends: number; sentAt: number }, now: number): number {
  if (sends < FAST_SENDS) return 0;
  return Math.max(0, sentAt + (sends + 1 - FAST_SENDS) * SEND_DELAY_MS - now);
}
