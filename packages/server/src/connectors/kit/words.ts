import { cleanText, cutText } from '../../text.ts';

/** Longest text that is looked at, in UTF-16 units; what is shown of it is a tenth. */
const MAX_READ = 2_000;
const MAX_SHOWN = 200;

/** A platform's words, short enough for a sentence; what could be a token or an address is left out. */
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

/** Without a word that the limit cut through: half a token would not be recognized as one. */
function whole(words: string): string {
  const clean = cleanText(words, MAX_READ);
  return words.length <= MAX_READ ? clean : clean.slice(0, Math.max(clean.lastIndexOf(' '), 0)) || '…';
}
