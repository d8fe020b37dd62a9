import { ReelayError } from '../errors.ts';

/** In code points. */
export const MAX_DESCRIPTION = 5_000;

/** @throws ReelayError `invalid_request` for a text longer than {@link MAX_DESCRIPTION} or invalid Unicode */
export function refuseLongDescription(text: string): void {
  if (!text.isWellFormed()) throw new ReelayError('invalid_request', 'The description is not valid Unicode.');
  let count = 0;
  for (const _ of text) count++;
  if (count <= MAX_DESCRIPTION) return;
  throw new ReelayError(
    'invalid_request',
    `The description has ${count.toLocaleString('en-US')} characters; at most 5,000 are taken.`,
  );
}
