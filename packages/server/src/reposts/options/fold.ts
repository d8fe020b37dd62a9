/**
 * Folds a text for comparisons without case. Like Unicode's full default case folding, as far as JavaScript knows it:
 * `ß` equals `ss`, and every sigma is the same. Both forms of a letter with marks are equal.
 */
export function foldCase(text: string): string {
  // Character by character, because the lower case of a sigma depends on its place in the word.
  return Array.from(text.normalize('NFD'), foldCharacter).join('').normalize('NFC');
}

function foldCharacter(character: string): string {
  // Its upper case is I, but Unicode does not fold it to i.
  if (character === 'ı') return character;
  return Array.from(character.toLowerCase().toUpperCase(), (each) => each.toLowerCase()).join('');
}
