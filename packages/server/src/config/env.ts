/**
 * The only file that reads the environment. It loads the schema only when needed, because some commands need just two
 * variables and the schema takes 80 ms of CPU time.
 */
import { delimiter } from 'node:path';
import type { Environment, Given } from './variables.ts';

export type { Environment } from './variables.ts';

type Source = Record<string, string | undefined>;

/** Reads and validates the variables. An empty value counts as unset. @throws Error naming the variable */
export async function readEnvironment(source: Source = process.env): Promise<Environment> {
  const { checkVariables } = await import('./variables.ts');
  return { ...checkVariables(givenIn(source)), terminal: process.stdout.isTTY === true };
}

/** Reads the service's URL and the API key for remote commands. Ignores all other variables. */
export function readRemote(source: Source = process.env): { url: string; apiKey: string | undefined } {
  const given = givenIn(source);
  return { url: given.REELAY_URL ?? `http://localhost:${given.PORT ?? 3000}`, apiKey: given.REELAY_API_KEY };
}

/** The folders that are searched for a program without a path. */
export function programFolders(source: Source = process.env): string[] {
  return (source.PATH ?? '').split(delimiter).filter(Boolean);
}

function givenIn(source: Source): Given {
  const entries = Object.entries(source).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return Object.fromEntries(entries);
}
