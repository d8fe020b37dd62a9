/** Tells whether a post of ours was edited on its platform before a check found it the first time. Pure. */
import { textWithShortMentions } from '../connectors/kit/comparable-text.ts';
import { isSameText } from './content.ts';

/**
 * Compares the text that was sent with the one that the platform shows. What platforms change by themselves is no edit:
 * they cut texts, put a title before them, shorten mentions, or show none.
 */
export function isEdited(sent: string, shown: string): boolean {
  const [before, after] = [textWithShortMentions(sent), textWithShortMentions(shown)];
  if (!before || !after || after.endsWith(before)) return false;
  return !isSameText(before, after);
}
