/** Compares texts that platforms may have changed. */

/**
 * Keeps letters and digits only, without case, because platforms change the rest: white space, punctuation, emoji.
 *
 * Connectors that verify by text alone compare with it. The publisher never leaves two posts unverified whose texts are
 * equal by it. If one of them compared more loosely, a post could be taken for another one.
 */
export function comparableText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Like {@link comparableText}, and shortens mentions of people on other servers, as lists of some platforms do. */
export function textWithShortMentions(text: string): string {
  return comparableText(text.normalize('NFKC').replace(/(^|[^\w/])@(\w+)@[\w.-]*\w/g, '$1@$2'));
}

/** Keeps everything but differences in white space and in the encoding of characters. */
export function collapsedText(text: string, form: 'NFC' | 'NFKC'): string {
  return text.normalize(form).replace(/\s+/g, ' ').trim();
}
