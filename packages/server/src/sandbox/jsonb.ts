/**
 * Stores any JSON as jsonb. PostgreSQL's jsonb rejects U+0000 and lone surrogates, which captions may contain. Such
 * values are stored as JSON text inside a JSON string.
 */
const WRAPPED = '~json';

/** The text to store. */
export function toJsonb(value: unknown): string {
  const text = JSON.stringify(value);
  return /\\u(0000|d[89a-f])|~json/.test(text) ? JSON.stringify({ [WRAPPED]: text }) : text;
}

/** The stored value. */
export function fromJsonb<T>(stored: unknown): T {
  if (stored !== null && typeof stored === 'object' && WRAPPED in stored)
    return JSON.parse(String(stored[WRAPPED])) as T;
  return stored as T;
}
