/** Details of targets as their readers see them. They are stored in English. Pure. */
import { cleanText, TEXT_LIMITS } from '../lib/text.ts';
import type { MessageRef, MessageRenderer } from '../messages/message.ts';

/** The reader's language, and the one that details are stored in. */
export interface Wording {
  render: MessageRenderer;
  english: MessageRenderer;
}

/** Returns a detail in the reader's language, if it was made from one of the messages or one inside them. */
export function renderDetail(
  detail: string | null,
  messages: readonly MessageRef[],
  { render, english }: Wording,
): string | null {
  if (detail === null || render === english) return detail;
  const made = messages
    .flatMap(withInner)
    .findLast((each) => cleanText(english(each), TEXT_LIMITS.sentence) === detail);
  return made ? render(made) : detail;
}

/** A message and those in its parameters. */
function withInner(message: MessageRef): MessageRef[] {
  const inner = Object.values(message.params).flatMap((param) => (typeof param === 'object' ? [param].flat() : []));
  return [...inner.flatMap(withInner), message];
}

/** Adds the platform's own code to a detail that does not contain it. */
export function withPlatformCode(detail: string | null, code: string | null): string | null {
  return detail && code && !detail.includes(code) ? `${detail} (${code})` : detail;
}
