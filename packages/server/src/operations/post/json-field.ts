import { cleanJson } from '../../errors/client-text.ts';
import { apiError, ReelayError } from '../../errors/reelay-error.ts';

/**
 * Parses a form field that contains JSON. Cleans the parsed value too, because JSON escapes bypass the checks of
 * the form.
 * @returns undefined for text that is not JSON
 * @throws ReelayError as {@link cleanJson}, naming the field
 */
export function parseJsonField(name: string, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  try {
    return cleanJson(value);
  } catch (error) {
    if (!(error instanceof ReelayError)) throw error;
    throw apiError('form_field_invalid', { name, problem: error.said }, { cause: error });
  }
}
