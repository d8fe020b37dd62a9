/**
 * PostgreSQL's jsonb refuses U+0000 and halves of surrogate pairs, which captions may hold: such values go in as JSON
 * text inside a JSON string.
 */
const WRAPPED = '~json';

/** The text to store. */
export function toJsonb(value: unknown): string {
  const text = JSON.stringify(value);
  return /\\u(0000|d[89a-f])|~json/.test(text) ? JSON.stringify({ [WRAPPED]: text }) : text;
}

/** The value that was stored. */
export function fromJsonb<T>(stored: unknown): T {
  if (stored !== null && typeof stored === 'object' && WRAPPED in stored)
    return JSON.parse(String(stored[WRAPPED])) as T;
  return stored as T;
}
