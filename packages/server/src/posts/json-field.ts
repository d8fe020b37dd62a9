import { assertJsonText } from '../client-text.ts';
import { ReelayError } from '../errors.ts';

/**
 * Parses a form field that holds JSON. Escapes can write what the form's own UTF-8 check cannot see.
 * @returns undefined for text that is not JSON
 * @throws ReelayError as {@link assertJsonText}, naming the field
 */
export function parseJsonField(name: string, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  try {
    assertJsonText(value);
  } catch (error) {
    if (!(error instanceof ReelayError)) throw error;
    throw new ReelayError(error.code, `The form field "${name}" is not usable: ${error.message}`, { cause: error });
  }
  return value;
}
