/** The only file that reads the environment. It loads nothing by itself: a command may want two of its words alone. */
import type { Environment, Given } from './variables.ts';

export type { Environment } from './variables.ts';

type Source = Record<string, string | undefined>;

/**
 * Reads and checks the variables. An empty value counts as none.
 * @throws Error naming the variable
 */
export async function readEnvironment(source: Source = process.env): Promise<Environment> {
  const { checkVariables } = await import('./variables.ts');
  return { ...checkVariables(givenIn(source)), terminal: process.stdout.isTTY === true };
}

/** Where the service is and who asks, for the remote half of the command line; nothing else is looked at. */
export function readRemote(source: Source = process.env): { url: string; apiKey: string | undefined } {
  const given = givenIn(source);
  return { url: given.REELAY_URL ?? `http://localhost:${given.PORT ?? 3000}`, apiKey: given.REELAY_API_KEY };
}

function givenIn(source: Source): Given {
  const entries = Object.entries(source).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return Object.fromEntries(entries);
}
