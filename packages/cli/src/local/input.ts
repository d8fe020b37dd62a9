import { text } from 'node:stream/consumers';
import { ERROR } from '../messages.ts';

/**
 * Reads the first line of standard input.
 * @param what name of the value, for the error message
 * @throws Error if the line is empty or standard input is a terminal
 */
export async function secretFromInput(what: string): Promise<string> {
  if (process.stdin.isTTY) throw new Error(ERROR.notPiped(what));
  const [first = ''] = (await text(process.stdin)).split(/\r?\n/, 1);
  if (first === '') throw new Error(ERROR.nothingPiped(what));
  return first;
}
