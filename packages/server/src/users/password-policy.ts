/** The password policy: minimum length, no common passwords (ASVS 2.1.1 to 2.1.9). */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { apiError } from '../errors/reelay-error.ts';
import { isStorable } from '../lib/text.ts';

const MIN_LENGTH = 12;
const MAX_LENGTH = 128;
const MIN_DISTINCT = 5;

/**
 * Checks a new password. Any characters are allowed, and none is required.
 * @throws ReelayError `invalid_request` with a message for the user
 */
export async function assertPasswordAllowed(password: string, email: string): Promise<void> {
  // Skip counting characters if the text is far too long.
  const length = password.length > 2 * MAX_LENGTH ? password.length : [...password].length;
  if (length < MIN_LENGTH || length > MAX_LENGTH)
    throw apiError('password_length', { min: MIN_LENGTH, max: MAX_LENGTH });
  if (!isStorable(password)) throw apiError('password_not_text');
  const lower = password.toLowerCase();
  const [name = ''] = email.toLowerCase().split('@');
  if (lower === email.toLowerCase() || core(lower) === name) throw apiError('password_is_email');
  if (isPattern(lower)) throw apiError('password_is_pattern');
  const common = await commonPasswords();
  if (common.has(lower) || common.has(core(lower))) throw apiError('password_is_common');
}

/** Whether the text repeats one unit, has too few distinct characters, or is a sequence like `abcdef`. Pure. */
export function isPattern(text: string): boolean {
  if (`${text}${text}`.indexOf(text, 1) < text.length || new Set(text).size < MIN_DISTINCT) return true;
  const codes = [...text].map((each) => each.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, at) => code - (codes[at] ?? 0));
  // Sequences of digits may wrap from 9 to 0, and back.
  return [1, -1].some((way) => steps.every((step) => step === way || step === -9 * way));
}

/** Strips the digits and symbols around a word: `sunshine2024!` → `sunshine`. */
function core(text: string): string {
  const letters = [...text];
  const isLetter = (each: string) => /\p{L}/u.test(each);
  const start = letters.findIndex(isLetter);
  return start < 0 ? text : letters.slice(start, letters.findLastIndex(isLetter) + 1).join('');
}

/**
 * About 40,000 passwords of at least 8 characters. Read on demand, because passwords change rarely and the list takes 5
 * MB.
 */
async function commonPasswords(): Promise<Set<string>> {
  const require = createRequire(import.meta.url);
  return new Set(JSON.parse(await readFile(require.resolve('popular-passwords'), 'utf8')) as string[]);
}
