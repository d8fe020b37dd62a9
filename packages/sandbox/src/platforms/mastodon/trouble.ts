/** Injects the fault that a status text requests by its tag, in Mastodon's error format. */
import type { SimulatorResponse } from '../../contract.ts';
import { faultTagIn } from '../../contract.ts';
import { strikes } from '../../faults/requested.ts';
import { Refused } from '../../http/refused.ts';
import { update } from '../../store/records.ts';
import { type Caller, refusal, unauthorised } from './access.ts';
import { rateHeaders } from './rates.ts';
import type { Token, World } from './state.ts';
import { invalid, text } from './texts.ts';

/** How long in ms the URL of a slow status returns 404. */
const SLOW_MS = 30_000;
/** Wait in ms that a rejected call reports. */
const WAIT_MS = 2_000;

export interface Asked {
  /** How long in ms the URL of the status stays unknown. */
  hiddenMs: number;
  /** Fault for the response. */
  trouble?: SimulatorResponse['trouble'];
}

/** Returns the requested fault. @param medium identifies the publish @throws Refused with the fault */
export async function simulateFault(world: World, caller: Caller, statusText: string, medium: string): Promise<Asked> {
  const { locale, tokenKey } = caller;
  const { books } = world.options;
  const publish = `${caller.account.id} ${medium}`;
  switch (faultTagIn(statusText)) {
    case 'reconnect':
      await update<Token>(books, ['token', tokenKey], { state: 'revoked' });
      throw new Refused(unauthorised(locale, 'revokedToken'));
    case 'reject':
      throw new Refused(refusal(422, invalid(locale, 'fileType')));
    case 'rate-limit':
      if (await strikes(books, publish, 2))
        throw new Refused(refusal(429, text(locale, 'tooMany'), rateHeaders(300, 0, world.now() + WAIT_MS)));
      break;
    case 'down':
      if (await strikes(books, publish, 3)) throw new Refused(refusal(503, text(locale, 'temporary')));
      break;
    case 'slow':
      return { hiddenMs: SLOW_MS };
    case 'lost-answer':
      return { hiddenMs: 0, trouble: 'lost-answer' };
  }
  return { hiddenMs: 0 };
}
