/** Searching in what the page already has. Pure. */

/** Without case, accents and forms of the same letter. */
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();

/** Whether each word of the search is part of one of the texts. An empty search matches everything. */
export function matchesSearch(search: string, texts: readonly string[]): boolean {
  const searched = texts.map(plain);
  return plain(search)
    .split(/\s+/)
    .every((word) => searched.some((text) => text.includes(word)));
}
