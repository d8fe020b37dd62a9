/** Reads the claims of session tokens. */
import type { SimulatorRequest } from '../../contract.ts';
import { bearerToken } from '../../http/parameters.ts';
import { readJwt, verifiesHs256 } from './jwt.ts';
import type { World } from './world.ts';
import { refuse } from './xrpc.ts';

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
