/** Limits of captions that schemas do not check: stored templates may exceed them until they are changed. */
import { apiError, type ReelayError } from '../../errors/reelay-error.ts';
import { codePoints } from '../../lib/text.ts';
import { fieldProblem } from '../../messages/fields.ts';
import type { Message } from '../../messages/message.ts';
import { MAX_DESCRIPTION } from '../../posts/description.ts';
import type { StoredOptions } from './rule-options.ts';
import { parseTemplate } from './template.ts';

/** Placeholders of one template. Each may insert a whole caption. */
export const MAX_PLACEHOLDERS = 10;

/**
 * Rejects templates with too many placeholders, unless they are the stored ones.
 * @throws ReelayError `invalid_request` naming the field
 */
export function assertTemplates(options: StoredOptions, stored: StoredOptions = {}): void {
  for (const name of ['template', 'append'] as const) {
    const text = options.caption?.[name];
    if (!text || text === stored.caption?.[name] || placeholdersIn(text) <= MAX_PLACEHOLDERS) continue;
    throw invalid(`options.caption.${name}`, fieldProblem('too_many_placeholders', { limit: MAX_PLACEHOLDERS }));
  }
}

function placeholdersIn(text: string): number {
  const parsed = parseTemplate(text);
  return 'problem' in parsed ? 0 : parsed.parts.filter((part) => typeof part !== 'string').length;
}

/** @throws ReelayError `invalid_request` for a caption that no post can have */
export function assertPreviewText(text: string | undefined): void {
  if (text === undefined || codePoints(text) <= MAX_DESCRIPTION) return;
  throw invalid('text', fieldProblem('too_long', { limit: MAX_DESCRIPTION }));
}

function invalid(name: string, problem: Message): ReelayError {
  return apiError('field_invalid', { name, problem }, { extras: { field: { path: name, problem } } });
}
