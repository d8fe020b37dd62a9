/** Repeats what the run itself asks of the database, which it also kills. */
import { setTimeout as pause } from 'node:timers/promises';
import { isPassing } from '../packages/server/src/db/failures.ts';

const MAX_ATTEMPTS = 300;

/** @throws any error that is not an outage, or the last one */
export async function repeatInOutage<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await act();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isOutage(error)) throw error;
      await pause(200);
    }
}

/** Whether the database is unavailable for now. */
export function isOutage(error: unknown): boolean {
  return isPassing(error) || (error instanceof Error && isPassing(error.cause));
}
