/** Failures that a tag in the post's text requests, in X's own format. */
import { faultTagIn, type SimulatorOptions, type SimulatorResponse } from '../../contract.ts';
import { strikes } from '../../faults/requested.ts';
import { Refused } from '../../http/refused.ts';
import type { Caller } from './caller.ts';
import { blank } from './problems.ts';
import { rateHeaders } from './rates.ts';
import { endGrant } from './tokens.ts';

/** The wait stated by a rate limit response, ms. */
const WAIT_MS = 2_000;

/**
 * @param media distinguishes publishes from each other @returns the `trouble` of the response @throws Refused with the
 * failure
 */
export async function simulateFault(
  options: SimulatorOptions,
  { account, grantId }: Caller,
  text: string,
  media: string,
): Promise<SimulatorResponse['trouble']> {
  const { books, now } = options;
  const publish = `${account.id} ${media}`;
  const trouble = faultTagIn(text);
  switch (trouble) {
    case 'reconnect':
      await endGrant(options, grantId);
      throw new Refused(blank(401));
    case 'reject':
      throw new Refused(blank(403, 'This user is not allowed to post a video longer than 0 minutes.'));
    case 'rate-limit':
      if (await strikes(books, publish, 2))
        throw new Refused({ ...blank(429), headers: rateHeaders(100, 0, now() + WAIT_MS) });
      return undefined;
    case 'down':
      if (await strikes(books, publish, 3)) throw new Refused(blank(503));
      return undefined;
    case 'slow':
    case 'lost-answer':
      return trouble;
    default:
      return undefined;
  }
}
