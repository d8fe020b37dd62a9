/** Failures that a tag in the description requests when an upload is started. */
import { faultTagIn, type SimulatorOptions, type SimulatorResponse } from '../../contract.ts';
import { beginOutage, captionKey, isRateLimited } from '../../faults/requested.ts';
import { refuse, unauthenticated } from './answers.ts';
import type { Caller } from './caller.ts';
import { killGrants } from './tokens.ts';

/** Returns the error that a text requests, or null. After a successful start, the same text triggers it again. */
export async function injectFault(
  options: SimulatorOptions,
  { account }: Caller,
  text: string,
): Promise<SimulatorResponse | null> {
  const { channelId } = account;
  switch (faultTagIn(text)) {
    case 'reconnect':
      await killGrants(options, channelId);
      return unauthenticated();
    case 'rate-limit':
      if (!(await isRateLimited(options.books, captionKey(channelId, text)))) return null;
      return refuse('userRateLimitExceeded', 'The request cannot be completed: too many requests at once.');
    case 'down':
      return (await beginOutage(options.books, channelId, { text })) ? refuse('backendError', 'Backend Error') : null;
    default:
      return null;
  }
}
