import { assertText, cleanJson } from '../errors/client-text.ts';
import { apiError } from '../errors/reelay-error.ts';
import { unknownFields } from '../errors/unknown-names.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a JSON body. Its texts have LF as their only line break.
 * @throws ReelayError `invalid_request` for invalid UTF-8 and invalid JSON; `unknown_field` for `__proto__`; as
 *   {@link cleanJson}
 */
export function parseJson(bytes: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw apiError(error instanceof SyntaxError ? 'body_not_json' : 'body_not_utf8', {}, { cause: error });
  }
  return cleanJson(value, assertField);
}

function assertField(name: string): void {
  // `__proto__` would change an object's prototype.
  if (name === '__proto__') throw unknownFields([name]);
  assertText(name);
}
