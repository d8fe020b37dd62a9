/** Failures that a tag in the text requests when a container is created. */
import { faultTagIn, type SimulatorOptions } from '../../contract.ts';
import { beginOutage, captionKey, isRateLimited } from '../../faults/requested.ts';
import { Refused } from '../../http/refused.ts';
import { refuse, unavailable, usedUp } from './answers.ts';
import type { Caller } from './caller.ts';
import { killGrant } from './tokens.ts';

/** @throws Refused with the requested failure */
export async function simulateFault({ books }: SimulatorOptions, caller: Caller, text: string): Promise<void> {
  const { profile, record } = caller;
  switch (faultTagIn(text)) {
    case 'reconnect':
      await killGrant({ books }, record.grantId, 458);
      refuse({
        code: 190,
        subcode: 458,
        message: 'Error validating access token: The user has not authorized application.',
      });
      break;
    case 'rate-limit':
      if (await isRateLimited(books, captionKey(profile.id, text))) refuse(usedUp(1));
      break;
    case 'down':
      if (await beginOutage(books, profile.id, { text })) throw new Refused(unavailable());
      break;
  }
}
