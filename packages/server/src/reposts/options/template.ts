/** Parser of caption templates: text with `{placeholder}`; `{{` and `}}` are braces. */
import { fieldProblem } from '../../messages/fields.ts';
import type { Message } from '../../messages/message.ts';
import { cutText } from '../../text.ts';

const PLACEHOLDERS = ['caption', 'hashtags', 'source', 'url'] as const;

export type Placeholder = (typeof PLACEHOLDERS)[number];

/** A literal text, or a placeholder. */
export type TemplatePart = string | { placeholder: Placeholder };

const TOKEN = /\{\{|\}\}|\{([^{}]*)\}|\{/g;

/** Maximum length of a name in an error message, in UTF-16 units. */
const MAX_NAME = 50;

/** Parses a template. @returns its parts, or the problem that ends the message `field_invalid` */
export function parseTemplate(template: string): { parts: TemplatePart[] } | { problem: Message } {
  const parts: TemplatePart[] = [];
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
    if (!placeholder) return { problem: unknownPlaceholder(name) };
    if (literal !== '') parts.push(literal);
    literal = '';
    parts.push({ placeholder });
  }
  literal += template.slice(end);
  if (literal !== '') parts.push(literal);
  return { parts };
}

function unknownPlaceholder(name: string): Message {
  return fieldProblem('unknown_placeholder', {
    placeholder: `{${cutText(name, MAX_NAME)}}`,
    allowed: PLACEHOLDERS.map((each) => `{${each}}`).join(', '),
  });
}
