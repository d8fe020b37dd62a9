/** Ends what a test has started, once it is over. */
import { expect, onTestFinished } from 'vitest';

export interface Ending {
  close(): Promise<unknown>;
  /** What it met with that nobody expected. */
  errors?: readonly unknown[];
}

/**
 * The same start, for use in tests and `beforeEach`: each thing that it gives is closed when the test is over, however
 * the test ended, and the test fails where the thing has met with errors.
 */
export function closedAfterTest<Given extends unknown[], Thing extends Ending>(
  start: (...given: Given) => Promise<Thing>,
): (...given: Given) => Promise<Thing> {
  return async (...given) => {
    const thing = await start(...given);
    onTestFinished(async () => {
      await thing.close();
      expect(thing.errors ?? []).toEqual([]);
    });
    return thing;
  };
}
