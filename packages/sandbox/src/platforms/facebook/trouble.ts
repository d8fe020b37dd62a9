/** Failures that a tag in the description requests when the reel is finished. */
import { faultTagIn, type SimulatorOptions } from '../../contract.ts';
import { beginOutage, isRateLimited } from '../../faults/requested.ts';
import { Refused } from '../../http/refused.ts';
import { refuse, unavailable } from './answers.ts';
import type { Page } from './records.ts';
import { killGrant } from './tokens.ts';

interface Finishing {
  page: Page;
  grantId: string;
  text: string;
  videoId: string;
}

/** @throws Refused with the requested failure */
export async function simulateFault(options: SimulatorOptions, finishing: Finishing): Promise<void> {
  const { page, grantId, text, videoId } = finishing;
  switch (faultTagIn(text)) {
    case 'reconnect':
      await killGrant(options, grantId);
      refuse({
        code: 190,
        subcode: 458,
        message: 'Error validating access token: The user has not authorized the application.',
      });
      break;
    case 'rate-limit':
      if (await isRateLimited(options.books, videoId)) refuse(usedUp(page.id, 1));
      break;
    case 'down':
      if (await beginOutage(options.books, page.id, { about: videoId })) throw new Refused(unavailable());
      break;
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
