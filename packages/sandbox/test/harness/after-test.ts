/** Closes what a test has started after the test ends. */
import { expect, onTestFinished } from 'vitest';

export interface Ending {
  close(): Promise<unknown>;
  /** Unexpected errors it encountered. */
  errors?: readonly unknown[];
}

/**
 * Wraps a start function for use in tests and `beforeEach`. Everything it starts is closed when the test ends,
 * regardless of the result. The test fails if something has recorded errors.
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
