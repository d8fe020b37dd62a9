/** Where a snippet goes in a caption. */
import { expect, test } from 'vitest';
import { insert } from '../src/pages/compose/snippets/insert.ts';

test.each([
  ['', '#a', '#a|'],
  ['|Hello', '#a', '#a| Hello'],
  ['Hello|', '#a', 'Hello #a|'],
  ['Hello |', '#a', 'Hello #a|'],
  ['Hello\n|', '#a\n#b', 'Hello\n#a\n#b|'],
  ['Hello| you', '#a', 'Hello #a| you'],
  ['He|llo', '#a', 'He #a| llo'],
  ['Hello [old] you', '#a', 'Hello #a| you'],
  ['[Hello]', '#a', '#a|'],
  ['👋🏽|', '🎬', '👋🏽 🎬|'],
])('a caption %j with the snippet %j becomes %j', (marked, snippet, expected) => {
  const start = Math.max(0, marked.search(/[|[]/));
  const text = marked.replace(/[|[\]]/g, '');
  const end = marked.includes(']') ? marked.indexOf(']') - 1 : start;
  const { text: changed, cursor } = insert(text, { start, end }, snippet);
  expect(`${changed.slice(0, cursor)}|${changed.slice(cursor)}`).toBe(expected);
});
