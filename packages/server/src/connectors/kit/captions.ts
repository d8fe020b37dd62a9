import type { CaptionLimit } from '../contract.ts';

/**
 * An address up to white space, brackets or quotes, without the punctuation that ends a sentence behind it. Platforms
 * differ in what they still take for part of an address; here in doubt a character is counted, so that a text is rather
 * refused beforehand than by the platform after the upload.
 */
const LINK = /https?:\/\/[^\s<>"'“”„«»。、，！？]*[^\s<>"'“”„«»。、，！？.,;:!?…)\]}*_~]/giu;
const MENTION_WITH_DOMAIN = /(^|[^\p{L}\p{N}_/=])@([\p{L}\p{N}_.-]+)@[\p{L}\p{N}.-]+[\p{L}\p{N}]/giu;

/** Length of a text as a platform counts it. */
export function captionLength(text: string, limit: CaptionLimit): number {
  let counted = text;
  let links = 0;
  if (limit.mentionDomainFree) counted = counted.replace(MENTION_WITH_DOMAIN, '$1@$2');
  if (limit.urlLength !== undefined)
    counted = counted.replace(LINK, () => {
      links++;
      return 'x';
    });
  return countUnits(counted, limit.unit) + links * ((limit.urlLength ?? 1) - 1);
}

function countUnits(text: string, unit: CaptionLimit['unit']): number {
  if (unit === 'utf16') return text.length;
  let count = 0;
  const units = unit === 'codepoints' ? text : new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text);
  for (const _ of units) count++;
  return count;
}
