/** Tells requests made on this machine from those that others sent. */
import { type Config, isLoopback, isPublic } from '../config/config.ts';
import { network } from './limits.ts';
import type { PageRequest } from './page.ts';

/** Headers that proxies add. One of them means that the client is elsewhere. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
] as const;

/**
 * Whether a request was made on this machine. On a service that others can reach no request counts as local: a proxy on
 * this machine may add no header, and then its requests look like our own.
 */
export function isLocalRequest(
  config: Pick<Config, 'publicUrl' | 'listen'>,
  request: Pick<PageRequest, 'peer' | 'header'>,
): boolean {
  return !isPublic(config) && cameOverLoopback(request);
}

/**
 * Whether a request came from a loopback address, for a loopback host, without a proxy's header. The Host header keeps
 * out pages of other sites whose name was rebound to this machine.
 */
export function cameOverLoopback({ peer, header }: Pick<PageRequest, 'peer' | 'header'>): boolean {
  const fromLoopback = peer === '::1' || network(peer).startsWith('127.');
  return (
    fromLoopback && isLoopback(hostIn(header('host'))) && PROXY_HEADERS.every((name) => header(name) === undefined)
  );
}

/** The name in a Host header, without the port; empty when there is none. */
function hostIn(header = ''): string {
  return header
    .slice(0, 300)
    .toLowerCase()
    .replace(/:\d{1,5}$/, '');
}
