/**
 * SSRF-safe GET of an untrusted URL, on node:http and node:https. Every redirect is checked again, and the connection
 * uses exactly the address that was checked. Sends no cookie, authorization or referrer.
 */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { type AddressGuard, guardedLookup, type Resolve } from './address-guard.ts';
import { reasonOf } from './http-client.ts';

export interface OpenOptions {
  guard: AddressGuard;
  mostRedirects: number;
  /** Timeout for the headers of each response, in ms. */
  headMs: number;
  headers?: Record<string, string>;
  /** Further headers, which are not sent to other origins after a redirect. */
  ownHeaders?: Readonly<Record<string, string>> | undefined;
  /** Aborts the request, and the response while it is read. */
  signal: AbortSignal;
  /** Default: the system's resolver. */
  resolve?: Resolve;
}

/** Why there is no response. */
export interface Problem {
  /**
   * A short word. Rejected by us: address, user_info, port, not_https, private_address, own_address. Redirects:
   * redirects, redirect_loop, redirect_nowhere. Connection: name, refused, reset, timeout, tls, garbage, connection.
   */
  reason: string;
  /** Number of redirects followed before. */
  hops: number;
  /** Scheme, host and port: the only parts of a URL that may be logged. */
  origin: string | null;
  /** Error code of the system. */
  code: string | null;
}

export type Opened = { response: IncomingMessage; hops: number; origin: string } | { problem: Problem };

const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Follows redirects to the first other response, of any status. The caller must read or destroy its body.
 * @throws the signal's reason
 */
export async function openAddress(address: string, options: OpenOptions): Promise<Opened> {
  const seen = new Set<string>();
  let former: URL | null = null;
  let url = URL.parse(address);
  const ownOrigin = url?.origin;
  for (let hops = 0; ; hops++) {
    const origin: string | null = url && url.origin !== 'null' ? url.origin : null;
    const no = (reason: string, code: string | null = null): Opened => ({ problem: { reason, hops, origin, code } });
    if (!url) return no(former ? 'redirect_nowhere' : 'address');
    const refusal = refuse(url, former, options.guard);
    if (refusal) return no(refusal);
    url.hash = '';
    if (seen.has(url.href)) return no('redirect_loop');
    if (hops > options.mostRedirects) return no('redirects');
    seen.add(url.href);
    let response: IncomingMessage;
    try {
      const headers = { ...options.headers, ...(url.origin === ownOrigin ? options.ownHeaders : {}) };
      response = await ask(url, { ...options, headers });
    } catch (error) {
      options.signal.throwIfAborted();
      const { code } = error as { code?: unknown };
      return no(reasonOf(error), typeof code === 'string' ? code : null);
    }
    if (!REDIRECTS.includes(response.statusCode ?? 0)) return { response, hops, origin: url.origin };
    response.destroy();
    former = url;
    url = response.headers.location === undefined ? null : URL.parse(response.headers.location, url.href);
  }
}

function refuse(url: URL, former: URL | null, guard: AddressGuard): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'not_https';
  // A redirect from https to http is rejected, even to a host that may use plain HTTP.
  if (url.protocol === 'http:' && former?.protocol === 'https:') return 'not_https';
  if (url.username !== '' || url.password !== '') return 'user_info';
  const refusal = guard.refuse(url);
  if (refusal) return refusal;
  // An IP address needs no lookup, so the guard checks it here.
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) !== 0 && !guard.allows(url, literal) ? 'private_address' : null;
}

function ask(url: URL, { guard, headMs, headers, signal, resolve: names }: OpenOptions): Promise<IncomingMessage> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const lookup = guardedLookup(guard, url, names);
    // No keep-alive: the host will probably not be contacted again.
    const outgoing = request(url, { agent: false, headers, lookup, signal });
    const fail = (error: unknown) => {
      clearTimeout(timer);
      outgoing.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(coded('ETIMEDOUT')), headMs);
    outgoing.on('response', (response) => {
      clearTimeout(timer);
      // Readers add their own listener. Without a reader, the error must not crash the process.
      response.on('error', () => {});
      resolve(response);
    });
    outgoing.on('error', fail);
    // A protocol upgrade emits neither `response` nor `error`, and closes the request silently.
    outgoing.on('close', () => fail(coded('ECONNRESET')));
    outgoing.end();
  });
}

const coded = (code: string) => Object.assign(new Error('No response.'), { code });
