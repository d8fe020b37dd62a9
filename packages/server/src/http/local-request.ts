/** Detects requests made on this machine. */
import { type Config, isLoopback, isPublic } from '../config/config.ts';
import type { PageRequest } from './page.ts';
import { network } from './request-limits.ts';

/** Headers that proxies add. Any of them means that the client is on another machine. */
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
 * Whether a request was made on this machine. On a publicly reachable service no request counts as local. A proxy on
 * this machine may add no header, so its requests would appear local.
 */
export function isLocalRequest(
  config: Pick<Config, 'publicUrl' | 'listen'>,
  request: Pick<PageRequest, 'peer' | 'header'>,
): boolean {
  return !isPublic(config) && cameOverLoopback(request);
}

/**
 * Whether a request originates from a loopback address, for a loopback host, without proxy headers. The check of the
 * Host header prevents DNS rebinding.
 */
export function cameOverLoopback({ peer, header }: Pick<PageRequest, 'peer' | 'header'>): boolean {
  const fromLoopback = peer === '::1' || network(peer).startsWith('127.');
  return (
    fromLoopback && isLoopback(hostIn(header('host'))) && PROXY_HEADERS.every((name) => header(name) === undefined)
  );
}

/** The hostname in a Host header, without the port; empty if the header is missing. */
function hostIn(header = ''): string {
  return header
    .slice(0, 300)
    .toLowerCase()
    .replace(/:\d{1,5}$/, '');
}
