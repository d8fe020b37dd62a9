import { assertJsonText, lineFeedsIn } from '../../client-text.ts';
import { apiError, ReelayError } from '../../errors.ts';

/**
 * Parses a form field that contains JSON. Checks the parsed value too, because JSON escapes bypass the form's UTF-8
 * check. Line breaks become line feeds.
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
    throw apiError('form_field_invalid', { name, problem: error.said }, { cause: error });
  }
  return lineFeedsIn(value);
}
