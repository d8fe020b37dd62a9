/** Injects the fault that a text requests by its tag. The text is first seen when the post is created. */
import type { SimulatorOptions, SimulatorResponse } from '../../contract.ts';
import { faultTagIn } from '../../contract.ts';
import { beginOutage, isRateLimited } from '../../faults/requested.ts';
import { Refused } from '../../http/refused.ts';
import { failed, refuse } from './answers.ts';
import { type Caller, throttled } from './caller.ts';
import { killGrant } from './tokens.ts';

/** Processing time in ms of a slow video, from its first post request. */
const SLOW_MS = 30_000;

/** @param video identifies the publish @returns a fault for the response @throws Refused with the fault */
export async function simulateFault(
  options: SimulatorOptions,
  caller: Caller,
  text: string,
  video: string,
): Promise<SimulatorResponse['trouble']> {
  const { books } = options;
  switch (faultTagIn(text)) {
    case 'reconnect':
      await killGrant(options, caller.grantId);
      throw refuse('REVOKED_ACCESS_TOKEN', 'The token used in the request has been revoked by the user');
    case 'reject':
      throw refuse('MEDIA_ASSET_PROCESSING_FAILED', 'The media asset failed to process');
    case 'rate-limit':
      if (await isRateLimited(books, video)) throw throttled('burst');
      break;
    case 'slow': {
      const since = await books.change<number>('slow', video, (begun) => begun ?? options.now());
      if (options.now() < (since ?? 0) + SLOW_MS)
        throw refuse('MEDIA_ASSET_WAITING_UPLOAD', 'The media asset is waiting for upload');
      break;
    }
    case 'down':
      if (await beginOutage(books, caller.person.id, { of: video })) throw new Refused(failed(503));
      break;
    case 'lost-answer':
      return 'lost-answer';
  }
  return undefined;
}
