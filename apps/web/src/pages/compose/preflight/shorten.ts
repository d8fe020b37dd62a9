/** Shortens a caption to what a platform accepts. Pure. */

const ELLIPSIS = '…';
/** Maximum distance, in characters, by which the cut moves back to the end of a word. */
const WORD = 24;

/**
 * The longest prefix of the text that fits together with an ellipsis, cut between grapheme clusters.
 * @param fits whether the platform accepts a text
 * @returns null if not even the ellipsis fits
 */
export async function shorten(text: string, fits: (text: string) => Promise<boolean>): Promise<string | null> {
  const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  const cutAt = (count: number) => characters.slice(0, count).join('').trimEnd() + ELLIPSIS;
  let fitting = -1;
  let tooLong = characters.length;
  // A platform may count a link with a fixed length, so `fits` is called for every candidate.
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (await fits(cutAt(middle))) fitting = middle;
    else tooLong = middle;
  }
  if (fitting < 0) return null;
  const space = characters.slice(0, fitting + 1).findLastIndex((each) => /^\s+$/u.test(each));
  const atWord = cutAt(space);
  return space > 0 && fitting - space <= WORD && (await fits(atWord)) ? atWord : cutAt(fitting);
}
