/** Failures that a tag in the description requests when an upload is started. */
import { createHash } from 'node:crypto';
import { type SimulatorAnswer, type SimulatorOptions, troubleIn } from '../../contract.ts';
import { refuse, unauthenticated } from './answers.ts';
import type { Caller, Outage } from './caller.ts';
import { killGrants } from './tokens.ts';

/** Returns the error that a text requests, or null. After a successful start, the same text triggers it again. */
export async function strike(
  options: SimulatorOptions,
  { account }: Caller,
  text: string,
): Promise<SimulatorAnswer | null> {
  const { channelId } = account;
  switch (troubleIn(text)) {
    case 'reconnect':
      await killGrants(options, channelId);
      return unauthenticated();
    case 'rate-limit': {
      const refusals = await options.books.change<number>(
        'refused',
        textKey(channelId, text),
        (count = 0) => count + 1,
      );
      if ((refusals ?? 0) > 2) return null;
      return refuse('userRateLimitExceeded', 'The request cannot be completed: too many requests at once.');
    }
    case 'down': {
      // Fails this call and the next two of any kind; `isDown` counts those.
      let begins = false;
      await options.books.change<Outage>('outage', channelId, (outage) => {
        begins = outage?.text !== text;
        return begins ? { text, left: 2 } : undefined;
      });
      return begins ? refuse('backendError', 'Backend Error') : null;
    }
    default:
      return null;
  }
}

/** Clears the state of a text's failure after it has passed. */
export async function forgetTrouble(options: SimulatorOptions, { account }: Caller, text: string): Promise<void> {
  const trouble = troubleIn(text);
  if (trouble === 'rate-limit') await options.books.remove('refused', textKey(account.channelId, text));
  if (trouble === 'down') await options.books.remove('outage', account.channelId);
}

function textKey(channelId: string, text: string): string {
  return `${channelId} ${createHash('sha256').update(text).digest('hex')}`;
}
