/** Injects the fault that a post's text requests by a tag; applies only to a record that does not exist yet. */
import type { SimulatorResponse } from '../../contract.ts';
import { faultTagIn } from '../../contract.ts';
import { Refused } from '../../http/refused.ts';
import type { Caller } from './auth.ts';
import { wwwAuthenticate } from './dpop.ts';
import { revokeGrants } from './oauth-tokens.ts';
import { revokeSessions } from './sessions.ts';
import type { World } from './world.ts';
import { type Call, refuse, xrpcError } from './xrpc.ts';

/**
 * Throws the requested error, or returns the fault for the response to the write.
 * @throws Refused
 */
export async function injectFault(
  world: World,
  call: Call,
  caller: Caller,
  text: string,
): Promise<SimulatorResponse['trouble']> {
  const trouble = faultTagIn(text);
  if (trouble === null) return undefined;
  const nth = async () => {
    const key = `${caller.account.did} ${text}`;
    return (await world.options.books.change<number>('trouble', key, (count) => (count ?? 0) + 1)) ?? 1;
  };
  switch (trouble) {
    case 'reconnect':
      await revokeSessions(world, caller.account.did);
      await revokeGrants(world, caller.account.did);
      if (caller.via === 'session') return refuse(400, 'ExpiredToken', 'Token has expired');
      throw new Refused({
        ...xrpcError(401, 'invalid_token', 'Token has been revoked'),
        headers: wwwAuthenticate('invalid_token', 'Token has been revoked'),
      });
    case 'reject':
      return refuse(
        400,
        'InvalidRequest',
        'Invalid app.bsky.feed.post record: Expected "video/mp4" (got "video/x-matroska") at $.record.embed.video.mimeType',
      );
    case 'rate-limit':
      if ((await nth()) > 2) return undefined;
      call.headers['retry-after'] = '2';
      return refuse(429, 'RateLimitExceeded', 'Rate Limit Exceeded');
    case 'down':
      return (await nth()) > 3 ? undefined : refuse(503, 'NotEnoughResources', 'Service is unavailable');
    case 'slow':
    case 'lost-answer':
      return (await nth()) > 1 ? undefined : trouble;
  }
}
