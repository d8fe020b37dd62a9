import { text } from 'node:stream/consumers';

/**
 * Reads the first line of standard input.
 * @param what name of the value, for the error message
 * @throws Error if the line is empty or standard input is a terminal
 */
export async function secretFromInput(what: string): Promise<string> {
  if (process.stdin.isTTY) throw new Error(`Pipe the ${what} in; it is not asked for, so that it does not show.`);
  const [first = ''] = (await text(process.stdin)).split(/\r?\n/, 1);
  if (first === '') throw new Error(`There is no ${what} on standard input.`);
  return first;
}
