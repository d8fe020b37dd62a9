/** Validates text from clients. PostgreSQL stores neither U+0000 nor lone surrogates. */
import { unifyLineBreaks } from '../lib/text.ts';
import { apiError } from './reelay-error.ts';

/** Deeper input can only be an attack on recursive code: no operation needs more than a few levels. */
const MAX_DEPTH = 32;

/** @throws ReelayError `invalid_request` */
export function assertText(text: string): void {
  if (text.includes('\0')) throw apiError('text_with_nul');
  if (!text.isWellFormed()) throw apiError('text_with_lone_surrogate');
}

/**
 * Checks every key and string of a parsed JSON value, and unifies line breaks in its strings. Iterative, so that deep
 * input cannot overflow the stack.
 * @param parsed changed in place
 * @param assertKey called with every key
 * @returns the value
 * @throws ReelayError `invalid_request`, also for more than 32 levels
 */
export function cleanJson(parsed: unknown, assertKey: (name: string) => void = assertText): unknown {
  const root: Record<string, unknown> = { parsed };
  const pending: { holder: Record<string, unknown>; depth: number }[] = [{ holder: root, depth: -1 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { holder, depth } = next;
    if (depth >= MAX_DEPTH) throw apiError('json_too_deep');
    for (const [name, value] of Object.entries(holder)) {
      assertKey(name);
      if (typeof value === 'string') {
        assertText(value);
        holder[name] = unifyLineBreaks(value);
      } else if (typeof value === 'object' && value !== null)
        pending.push({ holder: value as Record<string, unknown>, depth: depth + 1 });
    }
  }
  return root.parsed;
}
