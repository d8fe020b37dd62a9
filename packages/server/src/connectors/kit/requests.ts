/** Parts of requests that most platforms share. */
import { MINUTE } from '../../lib/time.ts';
import type { IrreversibleRequest, JsonObject, Session } from '../contract.ts';
import { textAt } from './json.ts';

/** Returns the header that authenticates a request with the account's access token (RFC 6750). */
export function bearer(secret: Session['secret']): { authorization: string } {
  return { authorization: `Bearer ${textAt(secret, 'accessToken')}` };
}

/**
 * Deadline of an upload, in ms.
 * @param responseMs time for the response
 * @param bytesPerMs minimum uplink speed; a slower uplink counts as broken (125 bytes per ms are 1 Mbit/s)
 */
export function transferMs(
  bytes: number,
  { responseMs, bytesPerMs }: { responseMs: number; bytesPerMs: number },
): number {
  return responseMs + Math.ceil(bytes / bytesPerMs);
}

/** Builds an irreversible request that sends JSON. */
export function postJson(url: string, headers: Record<string, string>, json: JsonObject): IrreversibleRequest {
  const body = { kind: 'bytes', type: 'application/json; charset=UTF-8', bytes: JSON.stringify(json) } as const;
  return { method: 'POST', url, headers, body, deadlineMs: MINUTE };
}
