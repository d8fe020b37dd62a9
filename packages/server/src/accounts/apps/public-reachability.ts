import { isIP } from 'node:net';
import { say } from '../../messages/connect.ts';
import type { Message } from '../../messages/message.ts';
import { isPrivateAddress } from '../../outbound/address-guard.ts';

/** Hostnames that resolve only in a local network (RFC 6761, RFC 6762, RFC 8375). */
const LOCAL_NAMES = /(?:^|\.)(?:localhost|local|internal|lan|home|test|example|invalid|home\.arpa)$/;

/**
 * Returns why a platform cannot fetch from this public URL, judging by the URL alone; null if no problem is found.
 * Pure.
 */
export function outsideProblem(publicUrl: string): Message | null {
  const { protocol, hostname } = new URL(publicUrl);
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(host) ? isPrivateAddress(host) : LOCAL_NAMES.test(host) || !host.includes('.'))
    return say('host_private', { host });
  return protocol === 'https:' ? null : say('not_https');
}
