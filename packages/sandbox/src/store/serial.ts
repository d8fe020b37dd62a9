import { randomInt } from 'node:crypto';

/** Odd, so that the low n bits of a sequence of its multiples repeat after 2^n numbers only. */
const STEP = 0x9e_37_79_b1;

/**
 * Returns a function that returns numbers of 32 bits for ids: the low n bits of each differ from those of the 2^n - 1
 * numbers before it. They begin at random and are not in order. Random numbers would repeat: 200 of 22 bits do in one of
 * 200 runs.
 */
export function createSerial(): () => number {
  let last = randomInt(2 ** 32);
  return () => {
    last = (last + STEP) >>> 0;
    return last;
  };
}
