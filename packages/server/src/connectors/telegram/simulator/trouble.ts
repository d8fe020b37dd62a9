/** Trouble that a caption asks for by its tag, in the Bot API's own ways. */
import type { SimulatorAnswer } from '../../kit/simulator.ts';
import { troubleIn } from '../../kit/simulator.ts';
import { Refused, TOO_LARGE, tooMany, UNAUTHORIZED } from './answers.ts';
import type { Call } from './caller.ts';
import type { Bot, Chat, World } from './records.ts';

/** Seconds that a refused call is told to wait. */
const WAIT_SECONDS = 2;

/** What the caption asks for. @throws Refused with the trouble */
export async function meetTrouble(
  world: World,
  { token }: Call,
  chat: Chat,
  caption: string,
): Promise<SimulatorAnswer['trouble']> {
  const { books } = world.options;
  const nth = async () =>
    (await books.change<number>('trouble', `${chat.id} ${caption}`, (count) => (count ?? 0) + 1)) ?? 1;
  switch (troubleIn(caption)) {
    case 'reconnect':
      await books.change<Bot>('bot', token, (bot) => bot && { ...bot, live: false });
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
      return (await nth()) > 1 ? undefined : (troubleIn(caption) as 'slow' | 'lost-answer');
    default:
      return undefined;
  }
}
