/** Client-side text search. Pure. */

/** Removes case, accents and compatibility forms of letters. */
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
