/**
 * Injects the fault that a description requests by its tag, in Snapchat's error format. A rejection is reported by the
 * review.
 */
import { type SimulatorAnswer, type SimulatorOptions, troubleIn } from '../../contract.ts';
import { Refused, refusal, tooMany, unauthorised } from './answers.ts';
import type { Caller } from './caller.ts';
import { killGrant } from './tokens.ts';

/** Wait in seconds that a rejected call reports. */
const WAIT_SECONDS = 2;

/** @throws Refused with the fault */
export async function meetTrouble(
  options: SimulatorOptions,
  { profile, grantId }: Caller,
  { description, mediaId }: { description: string; mediaId: string },
): Promise<Pick<SimulatorAnswer, 'trouble'>> {
  const strikes = async (times: number) => {
    const count = await options.books.change<number>('trouble', `${profile.id} ${mediaId}`, (current) =>
      Math.min((current ?? 0) + 1, times + 1),
    );
    return (count ?? 1) <= times;
  };
  switch (troubleIn(description)) {
    case 'reconnect':
      await killGrant(options, grantId);
      throw new Refused(unauthorised());
    case 'rate-limit':
      if (await strikes(2)) throw new Refused(tooMany(WAIT_SECONDS));
      return {};
    case 'down':
      if (await strikes(3)) throw new Refused(refusal(503, 'INTERNAL_ERROR', 'Something went wrong.'));
      return {};
    case 'lost-answer':
      return { trouble: 'lost-answer' };
    default:
      return {};
  }
}
