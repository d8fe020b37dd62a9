/**
 * Injects the fault that a description requests by its tag, in Snapchat's error format. A rejection is reported by the
 * review.
 */
import { faultTagIn, type SimulatorOptions, type SimulatorResponse } from '../../contract.ts';
import { strikes } from '../../faults/requested.ts';
import { Refused } from '../../http/refused.ts';
import { endGrant } from '../../oauth/tokens.ts';
import { refusal, tooMany, unauthorised } from './answers.ts';
import type { Caller } from './caller.ts';

/** Wait in seconds that a rejected call reports. */
const WAIT_SECONDS = 2;

/** @throws Refused with the fault */
export async function simulateFault(
  { books }: SimulatorOptions,
  { profile, grantId }: Caller,
  { description, mediaId }: { description: string; mediaId: string },
): Promise<Pick<SimulatorResponse, 'trouble'>> {
  const publish = `${profile.id} ${mediaId}`;
  switch (faultTagIn(description)) {
    case 'reconnect':
      await endGrant(books, grantId);
      throw new Refused(unauthorised());
    case 'rate-limit':
      if (await strikes(books, publish, 2)) throw new Refused(tooMany(WAIT_SECONDS));
      return {};
    case 'down':
      if (await strikes(books, publish, 3)) throw new Refused(refusal(503, 'INTERNAL_ERROR', 'Something went wrong.'));
      return {};
    case 'lost-answer':
      return { trouble: 'lost-answer' };
    default:
      return {};
  }
}
