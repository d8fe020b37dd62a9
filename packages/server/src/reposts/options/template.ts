/** Parser of caption templates: text with `{placeholder}`; `{{` and `}}` are braces. */
import { cutText } from '../../lib/text.ts';
import { fieldProblem } from '../../messages/fields.ts';
import type { Message } from '../../messages/message.ts';

const PLACEHOLDERS = ['caption', 'hashtags', 'source', 'url'] as const;

export type Placeholder = (typeof PLACEHOLDERS)[number];

/** A literal text, or a placeholder. */
export type TemplatePart = string | { placeholder: Placeholder };

const TOKEN = /\{\{|\}\}|\{([^{}]*)\}|\{/g;

/** Maximum length of a name in an error message, in UTF-16 units. */
const MAX_NAME = 50;
const MAX_NAMES = 10;

/** Parses a template. @returns its parts, or the problem that ends the message `field_invalid` */
export function parseTemplate(template: string): { parts: TemplatePart[] } | { problem: Message } {
  const parts: TemplatePart[] = [];
  const unknown = new Set<string>();
  let literal = '';
  let end = 0;
  for (const { 0: token, 1: name, index } of template.matchAll(TOKEN)) {
    literal += template.slice(end, index);
    end = index + token.length;
    if (token === '{{' || token === '}}') {
      literal += token.slice(1);
      continue;
    }
    if (name === undefined) return { problem: fieldProblem('brace_open') };
    const placeholder = PLACEHOLDERS.find((each) => each === name);
    if (!placeholder) {
      unknown.add(name);
      continue;
    }
    if (literal !== '') parts.push(literal);
    literal = '';
    parts.push({ placeholder });
  }
  if (unknown.size > 0) return { problem: unknownPlaceholders([...unknown]) };
  literal += template.slice(end);
  if (literal !== '') parts.push(literal);
  return { parts };
}

/** Names all of them, as far as there is room. */
function unknownPlaceholders(names: readonly string[]): Message {
  const allowed = PLACEHOLDERS.map((each) => `{${each}}`).join(', ');
  const shown = names.slice(0, MAX_NAMES).map((name) => `{${cutText(name, MAX_NAME)}}`);
  if (names.length === 1) return fieldProblem('unknown_placeholder', { placeholder: shown[0] ?? '', allowed });
  const placeholders = [...shown, ...(names.length > MAX_NAMES ? ['…'] : [])].join(', ');
  return fieldProblem('unknown_placeholders', { placeholders, allowed });
}
