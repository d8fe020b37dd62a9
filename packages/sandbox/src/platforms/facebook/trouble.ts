/** Failures that a tag in the description requests when the reel is finished. */
import { type SimulatorOptions, troubleIn } from '../../contract.ts';
import { Refused, refuse, unavailable } from './answers.ts';
import type { Outage } from './caller.ts';
import type { Page } from './records.ts';
import { killGrant } from './tokens.ts';

interface Finishing {
  page: Page;
  grantId: string;
  text: string;
  videoId: string;
}

/** @throws Refused with the requested failure */
export async function meetTrouble(options: SimulatorOptions, finishing: Finishing): Promise<void> {
  const { page, grantId, text, videoId } = finishing;
  switch (troubleIn(text)) {
    case 'reconnect':
      await killGrant(options, grantId);
      refuse({
        code: 190,
        subcode: 458,
        message: 'Error validating access token: The user has not authorized the application.',
      });
      break;
    case 'rate-limit': {
      const count = await options.books.change<number>('refused', videoId, (current = 0) => current + 1);
      if ((count ?? 1) <= 2) refuse(usedUp(page.id, 1));
      break;
    }
    case 'down': {
      // Fails this call and the next two of any kind.
      let begins = false;
      await options.books.change<Outage>('outage', page.id, (outage) => {
        begins = outage?.about !== videoId;
        return begins ? { about: videoId, left: 2 } : undefined;
      });
      if (begins) throw new Refused(unavailable());
      break;
    }
  }
}

/** The error for exhausted calls of a Page. @param minutes wait stated by the header */
export function usedUp(pageId: string, minutes: number) {
  const usage = { type: 'pages', call_count: 100, total_cputime: 20, total_time: 20 };
  const header = JSON.stringify({ [pageId]: [{ ...usage, estimated_time_to_regain_access: minutes }] });
  return {
    code: 80_001,
    message: '(#80001) There have been too many calls to this Page account. Wait a bit and try again.',
    headers: { 'x-business-use-case-usage': header },
  };
}
