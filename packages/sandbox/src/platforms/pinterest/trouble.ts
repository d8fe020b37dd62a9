/** Injects the fault that a description requests by its tag, in Pinterest's error format. */
import { faultTagIn, type SimulatorOptions, type SimulatorResponse } from '../../contract.ts';
import { strikes } from '../../faults/requested.ts';
import { Refused } from '../../http/refused.ts';
import { endGrant } from '../../oauth/tokens.ts';
import { update } from '../../store/records.ts';
import { authenticationFailed, invalid, refusal, tooMany } from './answers.ts';
import type { Caller } from './caller.ts';
import type { PinRequest } from './pin-schema.ts';
import type { Medium } from './records.ts';

/** Wait in seconds that a rejected call reports. */
const WAIT_SECONDS = 2;

/** @throws Refused with the fault */
export async function simulateFault(
  options: SimulatorOptions,
  { account, grantId }: Caller,
  { description, mediaId }: PinRequest,
): Promise<Pick<SimulatorResponse, 'trouble'>> {
  const { books } = options;
  const publish = `${account.id} ${mediaId}`;
  const trouble = faultTagIn(description ?? '');
  switch (trouble) {
    case 'reconnect':
      await endGrant(books, grantId);
      throw new Refused(authenticationFailed());
    case 'reject':
      // The rejection of the video is reported late, as if processing had failed after all.
      await update<Medium>(books, ['medium', mediaId], { failed: true });
      throw new Refused(invalid('The media is not usable: its status is failed.'));
    case 'rate-limit':
      if (await strikes(books, publish, 2)) throw new Refused(tooMany(WAIT_SECONDS));
      return {};
    case 'down':
      if (await strikes(books, publish, 3))
        throw new Refused(refusal(503, 12, 'Something went wrong on our end. Sorry about that.'));
      return {};
    case 'slow':
    case 'lost-answer':
      return { trouble };
    default:
      return {};
  }
}
