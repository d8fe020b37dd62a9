/** Validates text from clients. PostgreSQL stores neither U+0000 nor lone surrogates. */
import { apiError } from './errors.ts';
import { withLineFeeds } from './text.ts';

/** Deeper input can only be an attack on recursive code: no operation needs more than a few levels. */
const MAX_DEPTH = 32;

/** @throws ReelayError `invalid_request` */
export function assertText(text: string): void {
  if (text.includes('\0')) throw apiError('text_with_nul');
  if (!text.isWellFormed()) throw apiError('text_with_lone_surrogate');
}

/**
 * Checks every key and string of a parsed JSON value. Iterative, so that deep input cannot overflow the stack.
 * @param assertKey called with every key
 * @throws ReelayError `invalid_request`, also for more than 32 levels
 */
export function assertJsonText(root: unknown, assertKey: (name: string) => void = assertText): void {
  const pending: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') assertText(value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_DEPTH) throw apiError('json_too_deep');
    for (const [name, inner] of Object.entries(value)) {
      assertKey(name);
      pending.push({ value: inner, depth: depth + 1 });
    }
  }
}

/** The value with line feeds as the only line breaks of its strings. It is at most as deep as {@link assertJsonText} allows. */
export function lineFeedsIn(value: unknown): unknown {
  if (typeof value === 'string') return withLineFeeds(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(lineFeedsIn);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, lineFeedsIn(inner)]));
}
