/** Authenticates calls by a session (Bearer), an OAuth client (DPoP), or a service token. */
import type { JsonWebKey } from 'node:crypto';
import type { SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { bearerToken } from '../../http/parameters.ts';
import { Refused } from '../../refused.ts';
import { type Account, findAccount } from './accounts.ts';
import { checkProof, nextNonce, wwwAuthenticate } from './dpop.ts';
import { readJwt, sha256url, verifiesEc, verifiesHs256 } from './jwt.ts';
import type { AccessToken, Grant } from './oauth-tokens.ts';
import type { World } from './world.ts';
import { type Call, refuse, xrpcError } from './xrpc.ts';

export interface Caller {
  account: Account;
  via: 'session' | 'oauth' | 'service';
  scopes: string[];
}

/**
 * Authenticates the caller. @param serviceMethod method for which a service token is also accepted
 * @throws Refused
 */
export async function authorize(world: World, call: Call, serviceMethod?: string): Promise<Caller> {
  const header = call.request.headers.authorization;
  if (!header) refuse(401, 'AuthMissing', 'Authentication Required');
  const [type = '', token = ''] = header.split(' ');
  if (type.toLowerCase() === 'dpop') return byProof(world, call, token);
  if (type.toLowerCase() !== 'bearer') refuse(400, 'InvalidToken', `Unsupported authorization type: ${type}`);
  if (serviceMethod !== undefined && readJwt(token)?.claims.lxm !== undefined) {
    const account = await serviceAccount(world, token, { aud: world.pdsDid, lxm: serviceMethod });
    return { account, via: 'service', scopes: [] };
  }
  const claims = await sessionClaims(world, call.request, 'at+jwt');
  return { account: await usable(world, String(claims.sub)), via: 'session', scopes: [] };
}

async function byProof(world: World, call: Call, token: string): Promise<Caller> {
  const { store, now } = world.options;
  call.headers['DPoP-Nonce'] = await nextNonce(world);
  const access = await store.get<AccessToken>('access', sha256url(token));
  const refuseToken = (error: string, message: string): never => {
    throw new Refused(tokenError(error, message));
  };
  const grant = access && (await store.get<Grant>('grant', access.grant));
  if (!access) return refuseToken('invalid_token', 'Malformed token');
  const proof = await checkProof(world, call.request, { token });
  if (!proof) return refuseToken('invalid_dpop_proof', 'DPoP proof required');
  if ('error' in proof) return refuseToken(proof.error, proof.message);
  if (proof.jkt !== access.jkt) return refuseToken('invalid_token', 'Invalid DPoP key binding');
  if (access.expiresAt <= now()) return refuseToken('invalid_token', 'Token has expired');
  if (!grant || grant.revoked) return refuseToken('invalid_token', 'Token has been revoked');
  return { account: await usable(world, access.did), via: 'oauth', scopes: grant.scope.split(' ') };
}

/** The error for a token of an OAuth client, with its challenge. */
export function tokenError(error: string, message: string): SimulatorResponse {
  return { ...xrpcError(401, error, message), headers: wwwAuthenticate(error, message) };
}

/** Returns the claims of the session token in `Authorization: Bearer`. @throws Refused */
export async function sessionClaims(
  world: World,
  request: SimulatorRequest,
  typ: 'at+jwt' | 'refresh+jwt',
  allowExpired = false,
): Promise<Record<string, unknown>> {
  const token = bearerToken(request);
  if (!token) refuse(401, 'AuthMissing', 'Authentication Required');
  const jwt = readJwt(token);
  if (!jwt || jwt.header.typ !== typ || !verifiesHs256(await world.secret(), token))
    refuse(400, 'InvalidToken', 'Token could not be verified');
  if (!allowExpired && Number(jwt.claims.exp) * 1000 <= world.options.now())
    refuse(400, 'ExpiredToken', 'Token has expired');
  return jwt.claims;
}

async function usable(world: World, did: string): Promise<Account> {
  const account = await findAccount(world, did);
  if (!account) refuse(403, 'AccountNotFound', 'Account not found');
  if (account.status === 'takendown') refuse(401, 'AccountTakedown', 'Account has been taken down');
  if (account.status === 'deactivated') refuse(401, 'AccountDeactivated', 'Account is deactivated');
  return account;
}

/** Returns the account that issued a service token for this audience and method. @throws Refused */
export async function serviceAccount(
  world: World,
  token: string,
  wanted: { aud: string; lxm: string },
): Promise<Account> {
  const jwt = readJwt(token);
  if (!jwt) refuse(401, 'BadJwt', 'poorly formatted jwt');
  const { iss, aud, lxm, exp } = jwt.claims;
  if (Number(exp) * 1000 <= world.options.now()) refuse(401, 'JwtExpired', 'jwt expired');
  if (aud !== wanted.aud) refuse(401, 'BadJwtAudience', 'jwt audience does not match service did');
  if (lxm !== wanted.lxm)
    refuse(401, 'BadJwtLexiconMethod', `bad jwt lexicon method ("lxm"). must match: ${wanted.lxm}`);
  const account = await findAccount(world, String(iss));
  if (!account) refuse(401, 'AuthenticationRequired', 'could not resolve iss did');
  if (!verifiesEc('ES256K', publicOf(account.key), token))
    refuse(401, 'BadJwtSignature', 'jwt signature does not match jwt issuer');
  return account;
}

function publicOf(key: JsonWebKey): JsonWebKey {
  const { kty, crv, x, y } = key;
  return { kty, crv, x, y };
}
