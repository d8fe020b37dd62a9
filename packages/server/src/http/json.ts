import { assertJsonText, assertText } from '../client-text.ts';
import { ReelayError } from '../errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a JSON body.
 * @throws ReelayError `invalid_request` for invalid UTF-8 and invalid JSON; `unknown_field` for `__proto__`; as
 *   {@link assertJsonText}
 */
export function parseJson(bytes: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'The body is not valid JSON.' : 'The body is not valid UTF-8.';
    throw new ReelayError('invalid_request', why, { cause: error });
  }
  assertJsonText(value, assertField);
  return value;
}

function assertField(name: string): void {
  // `__proto__` would change an object's prototype.
  if (name === '__proto__') throw unknownField(name);
  assertText(name);
}

export function unknownField(name: string): ReelayError {
  return new ReelayError('unknown_field', `This operation does not know the field "${name.slice(0, 100)}".`);
}
