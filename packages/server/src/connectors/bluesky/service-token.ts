/**
 * Service tokens, with which the account's server authorizes another service to act for the account (docs.bsky.app,
 * service auth).
 */
import { PlatformError } from '../../outbound/platform-error.ts';
import { transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import type { Pds } from './pds.ts';

const LIFE_SECONDS = 1800;

/** @param now ms since the epoch @throws PlatformError, NetworkError */
export async function serviceToken(
  pds: Pds,
  wanted: { aud: string; lxm: string },
  now: number,
): Promise<{ token: string; expiresAt: number }> {
  const exp = Math.floor(now / 1000) + LIFE_SECONDS;
  const response = await pds.ask({
    method: 'GET',
    nsid: 'com.atproto.server.getServiceAuth',
    query: { ...wanted, exp: String(exp) },
  });
  const token = textAt(response.tryJson(), 'token');
  if (token) return { token, expiresAt: exp * 1000 };
  throw new PlatformError(transient('The server gave no token for the video service.'));
}
