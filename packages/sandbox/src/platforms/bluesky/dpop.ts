/** DPoP (RFC 9449) with server nonces that change every three minutes. */
import { createHmac, type JsonWebKey } from 'node:crypto';
import type { SimulatorRequest } from '../../contract.ts';
import { isObject } from '../../http/parameters.ts';
import { MINUTE } from '../../time.ts';
import { readJwt, sha256url, thumbprint, verifiesEc } from './jwt.ts';
import type { World } from './world.ts';

const NONCE_MS = 3 * MINUTE;
/** Tolerated clock difference of the client, in seconds. */
const SKEW_SECONDS = 60;

/** Returns the current nonce. */
export async function nextNonce(world: World): Promise<string> {
  return nonceOf(world, Math.floor(world.options.now() / NONCE_MS));
}

async function nonceOf(world: World, window: number): Promise<string> {
  return createHmac('sha256', await world.secret())
    .update(`nonce ${window}`)
    .digest('base64url');
}

export function wwwAuthenticate(error: string, message: string): Record<string, string> {
  return {
    'WWW-Authenticate': `DPoP algs="ES256", error="${error}", error_description="${message.replaceAll('"', "'")}"`,
  };
}

/**
 * Checks the `DPoP` header of a request; null if absent.
 * @param bound access token that the proof must be bound to
 */
export async function checkProof(
  world: World,
  request: SimulatorRequest,
  bound?: { token: string },
): Promise<{ jkt: string } | { error: 'use_dpop_nonce' | 'invalid_dpop_proof'; message: string } | null> {
  const proof = request.headers.dpop;
  if (proof === undefined) return null;
  const invalid = (message: string) => ({ error: 'invalid_dpop_proof' as const, message });
  const jwt = readJwt(proof);
  if (!jwt) return invalid('Failed to verify DPoP proof: Invalid Compact JWS');
  const { typ, alg, jwk } = jwt.header;
  if (typ !== 'dpop+jwt' || alg !== 'ES256' || !isPublicKey(jwk))
    return invalid('Failed to verify DPoP proof: bad header');
  if (!verifiesEc('ES256', jwk, proof)) return invalid('Failed to verify DPoP proof: signature verification failed');
  const { jti, iat, htm, htu, nonce, ath } = jwt.claims;
  const now = world.options.now() / 1000;
  if (typeof iat !== 'number' || Math.abs(now - iat) > SKEW_SECONDS)
    return invalid('Failed to verify DPoP proof: "iat" claim timestamp check failed');
  if (typeof jti !== 'string' || jti === '') return invalid('DPoP "jti" missing');
  if (nonce === undefined)
    return { error: 'use_dpop_nonce', message: 'Authorization server requires nonce in DPoP proof' };
  const window = Math.floor(world.options.now() / NONCE_MS);
  if (nonce !== (await nonceOf(world, window)) && nonce !== (await nonceOf(world, window - 1)))
    return { error: 'use_dpop_nonce', message: 'DPoP "nonce" mismatch' };
  if (htm !== request.method) return invalid('DPoP "htm" mismatch');
  if (htu !== `${world.options.baseUrl}${request.path}`) return invalid('DPoP "htu" mismatch');
  if (bound && ath !== sha256url(bound.token)) return invalid('DPoP "ath" mismatch');
  const jkt = thumbprint(jwk);
  if (!world.firstTime(`proof ${jkt} ${jti}`, 2 * NONCE_MS)) return invalid('DPoP proof replayed');
  return { jkt };
}

function isPublicKey(key: unknown): key is JsonWebKey {
  if (!isObject(key) || key.kty !== 'EC' || key.crv !== 'P-256' || 'd' in key) return false;
  return typeof key.x === 'string' && typeof key.y === 'string';
}
