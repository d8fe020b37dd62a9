/**
 * One GET of an address that somebody else wrote, on node:http and node:https: every hop is judged anew, the address that
 * is connected to is the one that was judged, and nothing of us goes along: no cookie, no authorization, no referrer.
 */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { type AddressGuard, guardedLookup, type Resolve } from '../connectors/kit/address-guard.ts';
import { reasonOf } from '../connectors/kit/http.ts';
import { isOtherServicesPort } from './ports.ts';

export interface OpenOptions {
  guard: AddressGuard;
  mostRedirects: number;
  /** Within so many ms the head of each answer must be there. */
  headMs: number;
  headers?: Record<string, string>;
  /** Cuts the request, and the answer as long as it is read. */
  signal: AbortSignal;
  /** The system's own when absent. */
  resolve?: Resolve;
}

/** Why there is no answer. */
export interface Problem {
  /**
   * A short word. Refused by us: address, user_info, port, not_https, private_address, own_address. Redirects: redirects,
   * redirect_loop, redirect_nowhere. Else what the connection came to: name, refused, reset, timeout, tls, garbage,
   * connection.
   */
  reason: string;
  /** Redirects followed before. */
  hops: number;
  /** Scheme, host and port, which are all of an address that may be written down. */
  origin: string | null;
  /** As the system tells it. */
  code: string | null;
}

export type Opened = { answer: IncomingMessage; hops: number; origin: string } | { problem: Problem };

const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Follows redirects to the first answer that is none, whatever its status. Its body is the caller's to read or destroy.
 * @throws the signal's reason
 */
export async function openAddress(address: string, options: OpenOptions): Promise<Opened> {
  const seen = new Set<string>();
  let former: URL | null = null;
  let url = URL.parse(address);
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
    let answer: IncomingMessage;
    try {
      answer = await ask(url, options);
    } catch (error) {
      options.signal.throwIfAborted();
      const { code } = error as { code?: unknown };
      return no(reasonOf(error), typeof code === 'string' ? code : null);
    }
    if (!REDIRECTS.includes(answer.statusCode ?? 0)) return { answer, hops, origin: url.origin };
    answer.destroy();
    former = url;
    url = answer.headers.location === undefined ? null : URL.parse(answer.headers.location, url.href);
  }
}

function refuse(url: URL, former: URL | null, guard: AddressGuard): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'not_https';
  // What began encrypted does not go on in the open, not even to a host that may be spoken to so.
  if (url.protocol === 'http:' && former?.protocol === 'https:') return 'not_https';
  if (url.username !== '' || url.password !== '') return 'user_info';
  if (isOtherServicesPort(url)) return 'port';
  const refusal = guard.refuse(url);
  if (refusal) return refusal;
  // For a number there is no look-up, so the guard is asked about it here.
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) !== 0 && !guard.allows(url, literal) ? 'private_address' : null;
}

function ask(url: URL, { guard, headMs, headers, signal, resolve: names }: OpenOptions): Promise<IncomingMessage> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const lookup = guardedLookup(guard, url, names);
    // A connection of its own: none is left behind to a host that we shall not see again.
    const outgoing = request(url, { agent: false, headers, lookup, signal });
    const fail = (error: unknown) => {
      clearTimeout(timer);
      outgoing.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(coded('ETIMEDOUT')), headMs);
    outgoing.on('response', (answer) => {
      clearTimeout(timer);
      // Whoever reads it listens too; whoever does not must not fall over it.
      answer.on('error', () => {});
      resolve(answer);
    });
    outgoing.on('error', fail);
    // An answer that changes the protocol is neither a response nor an error, and ends the request without a word.
    outgoing.on('close', () => fail(coded('ECONNRESET')));
    outgoing.end();
  });
}

const coded = (code: string) => Object.assign(new Error('No answer.'), { code });
