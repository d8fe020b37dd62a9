/** Injects the fault that a caption requests by its tag, in the Bot API's error format. */
import type { SimulatorResponse } from '../../contract.ts';
import { faultTagIn } from '../../contract.ts';
import { Refused } from '../../http/refused.ts';
import { update } from '../../store/records.ts';
import { TOO_LARGE, tooMany, UNAUTHORIZED } from './answers.ts';
import type { Call } from './caller.ts';
import type { Bot, Chat, World } from './records.ts';

/** Wait in seconds that a rejected call reports. */
const WAIT_SECONDS = 2;

/** Returns the requested fault. @throws Refused with the fault */
export async function simulateFault(
  world: World,
  { token }: Call,
  chat: Chat,
  caption: string,
): Promise<SimulatorResponse['trouble']> {
  const { books } = world.options;
  const nth = async () =>
    (await books.change<number>('trouble', `${chat.id} ${caption}`, (count) => (count ?? 0) + 1)) ?? 1;
  switch (faultTagIn(caption)) {
    case 'reconnect':
      await update<Bot>(books, ['bot', token], { live: false });
      throw new Refused(UNAUTHORIZED);
    case 'reject':
      throw new Refused(TOO_LARGE);
    case 'rate-limit':
      if ((await nth()) <= 2) throw new Refused(tooMany(WAIT_SECONDS));
      return undefined;
    case 'down':
      if ((await nth()) <= 3)
        throw new Refused({
          status: 502,
          headers: { 'content-type': 'text/html' },
          body: '<html><head><title>502 Bad Gateway</title></head></html>',
        });
      return undefined;
    case 'slow':
    case 'lost-answer':
      return (await nth()) > 1 ? undefined : (faultTagIn(caption) as 'slow' | 'lost-answer');
    default:
      return undefined;
  }
}
