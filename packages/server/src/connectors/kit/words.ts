/** Sanitizes platform messages for display. */
import { cleanText, cutText } from '../../lib/text.ts';

/** Maximum input length in UTF-16 units; the result has at most a tenth of it. */
const MAX_READ = 2_000;
const MAX_SHOWN = 200;

/** Shortens a platform's message for display and removes possible tokens and URLs. */
export function tameWords(words: string): string {
  return cutText(
    whole(words)
      .replace(/https?:\S+/gi, '…')
      .replace(/\b(access_token|input_token|client_secret|code)=\S+/gi, '$1=…')
      .replace(/\d{1,20}:[\w-]{10,}/g, '…')
      .replace(/\S{32,}/g, '…'),
    MAX_SHOWN,
  ).trim();
}

/** Removes a word that the limit truncated, because half a token would not be recognized as one. */
function whole(words: string): string {
  const clean = cleanText(words, MAX_READ);
  return words.length <= MAX_READ ? clean : clean.slice(0, Math.max(clean.lastIndexOf(' '), 0)) || '…';
}
