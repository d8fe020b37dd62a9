/** Injects the fault that a description requests by its tag, in Pinterest's error format. */
import { type SimulatorAnswer, type SimulatorOptions, troubleIn } from '../../contract.ts';
import { authenticationFailed, invalid, Refused, refusal, tooMany } from './answers.ts';
import type { Caller } from './caller.ts';
import type { PinRequest } from './pin-schema.ts';
import type { Medium } from './records.ts';
import { killGrant } from './tokens.ts';

/** Wait in seconds that a rejected call reports. */
const WAIT_SECONDS = 2;

/** @throws Refused with the fault */
export async function meetTrouble(
  options: SimulatorOptions,
  { account, grantId }: Caller,
  { description, mediaId }: PinRequest,
): Promise<Pick<SimulatorAnswer, 'trouble'>> {
  const strikes = async (times: number) => {
    const count = await options.books.change<number>('trouble', `${account.id} ${mediaId}`, (current) =>
      Math.min((current ?? 0) + 1, times + 1),
    );
    return (count ?? 1) <= times;
  };
  const trouble = troubleIn(description ?? '');
  switch (trouble) {
    case 'reconnect':
      await killGrant(options, grantId);
      throw new Refused(authenticationFailed());
    case 'reject':
      // The rejection of the video is reported late, as if processing had failed after all.
      await options.books.change<Medium>('medium', mediaId, (medium) => medium && { ...medium, failed: true });
      throw new Refused(invalid('The media is not usable: its status is failed.'));
    case 'rate-limit':
      if (await strikes(2)) throw new Refused(tooMany(WAIT_SECONDS));
      return {};
    case 'down':
      if (await strikes(3)) throw new Refused(refusal(503, 12, 'Something went wrong on our end. Sorry about that.'));
      return {};
    case 'slow':
    case 'lost-answer':
      return { trouble };
    default:
      return {};
  }
}
