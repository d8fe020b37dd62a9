import { apiError } from '../errors/reelay-error.ts';
import { codePoints } from '../lib/text.ts';

/** In code points. */
export const MAX_DESCRIPTION = 5_000;

/** @throws ReelayError `invalid_request` for a text longer than {@link MAX_DESCRIPTION} or invalid Unicode */
export function refuseLongDescription(text: string): void {
  if (!text.isWellFormed()) throw apiError('description_not_unicode');
  const count = codePoints(text);
  if (count <= MAX_DESCRIPTION) return;
  throw apiError('description_too_long', { count, limit: MAX_DESCRIPTION });
}
