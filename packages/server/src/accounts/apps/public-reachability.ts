import { isIP } from 'node:net';
import { isPrivateAddress } from '../../outbound/address-guard.ts';

/** Hostnames that resolve only in a local network (RFC 6761, RFC 6762, RFC 8375). */
const LOCAL_NAMES = /(?:^|\.)(?:localhost|local|internal|lan|home|test|example|invalid|home\.arpa)$/;

/**
 * Returns why a platform cannot fetch from this public URL, judging by the URL alone; null if no problem is found.
 * Pure.
 */
export function outsideProblem(publicUrl: string): string | null {
  const { protocol, hostname } = new URL(publicUrl);
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(host) ? isPrivateAddress(host) : LOCAL_NAMES.test(host) || !host.includes('.'))
    return `${host} is known on this machine or in this network only`;
  return protocol === 'https:' ? null : 'it is not https';
}
