import { ReelayError } from '../errors.ts';

/** Nothing of ours nests deeper than a handful; deeper input is an attack on whoever walks it. */
const MAX_DEPTH = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a JSON body.
 * @throws ReelayError `invalid_request` for invalid UTF-8, invalid JSON, U+0000 and deep nesting;
 *   `unknown_field` for a property that would reach an object's prototype
 */
export function parseJson(bytes: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'The body is not valid JSON.' : 'The body is not valid UTF-8.';
    throw new ReelayError('invalid_request', why, { cause: error });
  }
  inspect(value);
  return value;
}

/** Walks without recursion: the depth of the input must not become the depth of our stack. */
function inspect(root: unknown): void {
  const pending: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') refuseNul(value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_DEPTH) throw new ReelayError('invalid_request', 'The body is nested too deeply.');
    for (const [name, inner] of Object.entries(value)) {
      if (name === '__proto__') throw unknownField(name);
      refuseNul(name);
      pending.push({ value: inner, depth: depth + 1 });
    }
  }
}

/** @throws ReelayError `invalid_request` for text with U+0000, which no database text can hold */
export function refuseNul(text: string): void {
  if (text.includes('\0')) throw new ReelayError('invalid_request', 'Text must not contain U+0000.');
}

export function unknownField(name: string): ReelayError {
  return new ReelayError('unknown_field', `This operation does not know the field "${name.slice(0, 100)}".`);
}
