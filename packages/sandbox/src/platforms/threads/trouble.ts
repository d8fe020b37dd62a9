/** Failures that a tag in the text requests when a container is created. */
import { createHash } from 'node:crypto';
import { type SimulatorOptions, troubleIn } from '../../contract.ts';
import { Refused, refuse, unavailable, usedUp } from './answers.ts';
import type { Caller, Outage } from './caller.ts';
import { killGrant } from './tokens.ts';

/** @throws Refused with the requested failure */
export async function meetTrouble(options: SimulatorOptions, caller: Caller, text: string): Promise<void> {
  const { profile, record } = caller;
  switch (troubleIn(text)) {
    case 'reconnect':
      await killGrant(options, record.grantId, 458);
      refuse({
        code: 190,
        subcode: 458,
        message: 'Error validating access token: The user has not authorized application.',
      });
      break;
    case 'rate-limit': {
      const key = `${profile.id} ${createHash('sha256').update(text).digest('hex')}`;
      const count = await options.books.change<number>('refused', key, (current = 0) => current + 1);
      if ((count ?? 1) <= 2) refuse(usedUp(1));
      break;
    }
    case 'down': {
      // Fails this call and the next two of any kind.
      let begins = false;
      await options.books.change<Outage>('outage', profile.id, (outage) => {
        begins = outage?.text !== text;
        return begins ? { text, left: 2 } : undefined;
      });
      if (begins) throw new Refused(unavailable());
      break;
    }
  }
}
