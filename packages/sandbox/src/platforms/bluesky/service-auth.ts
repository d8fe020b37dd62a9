/** Service tokens, with which an account authorizes another service to act for it. */
import { randomBytes } from 'node:crypto';
import type { Route } from '../../contract.ts';
import { authorize } from './auth.ts';
import { signEc } from './jwt.ts';
import type { World } from './world.ts';
import { invalid, ok, parameter, refuse, xrpc } from './xrpc.ts';

const DEFAULT_SECONDS = 60;

export function serviceAuthRoutes(world: World): Route[] {
  return xrpc('GET', 'com.atproto.server.getServiceAuth', async (call) => {
    const { account } = await authorize(world, call);
    const aud = parameter(call.request, 'aud');
    const lxm = call.request.query.get('lxm') ?? undefined;
    const given = call.request.query.get('exp');
    if (!/^did:(plc:[a-z2-7]{24}|web:[\w.:%-]+)(#\w+)?$/.test(aud))
      invalid('aud must be a valid atproto DID or did#serviceId reference');
    const iat = Math.floor(world.options.now() / 1000);
    const exp = given === null ? iat + DEFAULT_SECONDS : Number(given);
    const ahead = exp - world.options.now() / 1000;
    if (!(ahead >= 0)) refuse(400, 'BadExpiration', 'expiration is in past');
    if (ahead > 3600)
      refuse(400, 'BadExpiration', 'cannot request a token with an expiration more than an hour in the future');
    if (lxm === undefined && ahead > 60)
      refuse(
        400,
        'BadExpiration',
        'cannot request a method-less token with an expiration more than a minute in the future',
      );
    const claims = { iat, iss: account.did, aud, exp, lxm, jti: randomBytes(16).toString('hex') };
    return ok({ token: signEc('ES256K', account.key, { typ: 'JWT' }, claims) });
  });
}
