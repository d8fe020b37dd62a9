/** Failures that a tag in the post's text requests, in X's own format. */
import { type SimulatorAnswer, type SimulatorOptions, troubleIn } from '../../contract.ts';
import type { Caller } from './caller.ts';
import { blank, Refused } from './problems.ts';
import { rateHeaders } from './rates.ts';
import { endGrant } from './tokens.ts';

/** The wait stated by a rate limit response, ms. */
const WAIT_MS = 2_000;

/**
 * @param media distinguishes publishes from each other @returns the `trouble` of the response @throws Refused with the
 * failure
 */
export async function meetTrouble(
  options: SimulatorOptions,
  { account, grantId }: Caller,
  text: string,
  media: string,
): Promise<SimulatorAnswer['trouble']> {
  const strikes = async (times: number) => {
    const key = `${account.id} ${media}`;
    const count = await options.books.change<number>('trouble', key, (n = 0) => Math.min(n + 1, times + 1));
    return (count ?? 1) <= times;
  };
  switch (troubleIn(text)) {
    case 'reconnect':
      await endGrant(options, grantId);
      throw new Refused(blank(401));
    case 'reject':
      throw new Refused(blank(403, 'This user is not allowed to post a video longer than 0 minutes.'));
    case 'rate-limit':
      if (await strikes(2)) throw new Refused({ ...blank(429), headers: rateHeaders(100, 0, options.now() + WAIT_MS) });
      return undefined;
    case 'down':
      if (await strikes(3)) throw new Refused(blank(503));
      return undefined;
    case 'slow':
      return 'slow';
    case 'lost-answer':
      return 'lost-answer';
    default:
      return undefined;
  }
}
