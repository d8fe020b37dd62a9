/** Shortens texts to a limit in any unit. Pure. */
import { cutText } from '../lib/text.ts';

/**
 * The text, or its longest beginning that fits with an ellipsis. No surrogate pair is split.
 * @param size of a text, in the unit of the limit; it must not shrink when the text grows
 */
export function fit(text: string, limit: number, size: (text: string) => number): string {
  if (size(text) <= limit) return text;
  const shortened = (length: number) => `${cutText(text, length).trimEnd()}…`;
  let [low, high] = [0, text.length];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (size(shortened(middle)) <= limit) low = middle;
    else high = middle;
  }
  return shortened(low);
}
