/**
 * Access control of the sandbox. Simulators run at the service's own address, accept any name and store what they
 * receive. On a publicly reachable service they are therefore open only to its own processes and the operator. Consent
 * pages are also open to the browser that confirmed the consent.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isConsentInProgress } from '../accounts/connect/attempt-store.ts';
import { browserOf } from '../accounts/connect/browser-cookie.ts';
import { type Config, isLoopback, isPublic } from '../config/config.ts';
import type { Queryable } from '../db/database.ts';
import { apiError } from '../errors/reelay-error.ts';
import { isLocalRequest } from '../http/local-request.ts';
import { hashKey, isKey } from '../keys/format.ts';
import { findOwners } from '../keys/key-store.ts';
import type { SignIn } from '../users/sign-in/sign-in-service.ts';

export interface GateDeps extends Pick<Config, 'publicUrl' | 'listen'> {
  db: Queryable;
  signIn: Pick<SignIn, 'session'>;
  linkKey: Buffer;
}

const PASS = 'x-reelay-sandbox';

/** Headers that authenticate this service's own processes. */
export function passHeaders(linkKey: Buffer): Record<string, string> {
  return { [PASS]: createHmac('sha256', linkKey).update('sandbox').digest('base64url') };
}

/**
 * Authorizes a request.
 * @param platform the requested simulator; null: the feed
 * @param isConsent whether the request is for a consent page of this simulator
 * @throws ReelayError `unauthorized`, `operator_required`
 */
export async function admit(
  deps: GateDeps,
  request: IncomingMessage,
  platform: string | null,
  isConsent: () => Promise<boolean>,
): Promise<void> {
  const header = (name: string) => request.headers[name]?.toString();
  if (isLocalRequest(deps, { peer: request.socket.remoteAddress ?? '', header })) return;
  if (platform !== null && hasPass(deps.linkKey, request)) return;
  const user = await callerOf(deps, request);
  if (user?.operator && !user.suspended) return;
  const browser = platform !== null && isPageRequest(request) ? browserOf(deps, { header }) : null;
  const isBound = platform !== null && browser !== null && (await isConsentInProgress(deps.db, platform, browser));
  if (isBound && (await isConsent())) return;
  throw apiError(user ? 'sandbox_operator_required' : 'sandbox_unauthorized');
}

/**
 * Returns whether a simulator may redirect a browser to a URL: the service's own, or, on a loopback service, any URL of
 * this machine. Pure.
 */
export function isOwnRedirect(deps: Pick<Config, 'publicUrl' | 'listen'>, location: string): boolean {
  const url = URL.parse(location, deps.publicUrl);
  if (!url) return false;
  return url.origin === new URL(deps.publicUrl).origin || (!isPublic(deps) && isLoopback(url.hostname));
}

/** Returns whether a request comes from this service's own processes. */
export function hasPass(linkKey: Buffer, { headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const wanted = Buffer.from(passHeaders(linkKey)[PASS] ?? '');
  const found = Buffer.from(headers[PASS]?.toString() ?? '');
  return found.length === wanted.length && timingSafeEqual(found, wanted);
}

/** Matches requests for pages and their forms, as browsers send them, but not those of API clients. */
function isPageRequest({ method, headers }: IncomingMessage): boolean {
  if (headers.authorization !== undefined) return false;
  if (method === 'GET' || method === 'HEAD') return true;
  const small = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= MAX_FORM;
  return method === 'POST' && small && /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '');
}

const MAX_FORM = 16 * 1024;

async function callerOf(
  { db, signIn }: GateDeps,
  { headers }: IncomingMessage,
): Promise<{ operator: boolean; suspended: boolean } | null> {
  const key = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (key) return (isKey(key) && (await findOwners(db, [hashKey(key)]))[0]) || null;
  return headers.cookie ? signIn.session(headers.cookie) : null;
}
