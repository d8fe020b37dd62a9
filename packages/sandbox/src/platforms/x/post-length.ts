/** The weighted length of a post ("Counting characters", docs.x.com), counted by grapheme. */

/** A link with its protocol. */
export const LINK = /(?<![\p{L}\p{N}@#$_./-])https?:\/\/[^\s]+/giu;
const BARE =
  /(?<![\p{L}\p{N}@#$_./-])(?:[a-z0-9-]+\.)+(?:com|net|org|info|app|co|tv)(?![\p{L}\p{N}_-])(?:\/[^\s]*)?/giu;
const LINK_LENGTH = 23;

/** Weighted length; most accounts may have at most 280. */
export function postLength(text: string): number {
  let links = 0;
  const rest = [LINK, BARE].reduce(
    (left, pattern) =>
      left.replace(pattern, () => {
        links++;
        return ' ';
      }),
    text,
  );
  let weight = links * (LINK_LENGTH - 1);
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(rest.normalize('NFC')))
    weight += isEmoji(segment) ? 2 : weightOf(segment);
  return weight;
}

function isEmoji(cluster: string): boolean {
  return /^\p{RGI_Emoji}$/v.test(cluster);
}

function weightOf(cluster: string): number {
  let weight = 0;
  for (const char of cluster) weight += /[\0-\u10ff\u2000-\u200d\u2010-\u201f\u2032-\u2037]/u.test(char) ? 1 : 2;
  return weight;
}
