/** Tests of plain language. The limits may only be lowered. */
import { expect, test } from 'vitest';
import { countExpressions, titleLengths } from './language.ts';
import { readTree, sourceFile } from './tree.ts';

/** Per 1,000 words of comments. */
const MAX_EXPRESSIONS = 0.5;
/** In words, at the 90th percentile. */
const MAX_TITLE_WORDS = 10;

const tree = await readTree();

test('comments have few idiosyncratic expressions', () => {
  const { words, found } = countExpressions(tree);
  expect(words).toBeGreaterThan(10_000);
  expect((1_000 * found.length) / words, found.join('\n')).toBeLessThanOrEqual(MAX_EXPRESSIONS);
});

test('test titles are short', () => {
  const lengths = titleLengths(tree).sort((a, b) => a - b);
  expect(lengths.length).toBeGreaterThan(1_000);
  expect(lengths[Math.floor(lengths.length * 0.9)]).toBeLessThanOrEqual(MAX_TITLE_WORDS);
});

test('counts the titles of all kinds of tests', () => {
  const titled = ['a.test.ts', 'a.test.tsx', 'a.e2e.ts', 'a.ts'].map((path) =>
    sourceFile(`apps/web/test/${path}`, `  test('one two', { tag: '@layout' }, () => {});`),
  );
  expect(titleLengths(titled)).toEqual([2, 2, 2]);
});

test('finds expressions in comments only, also across lines', () => {
  const text = `// Whoever\nconst whoever = 'whatever 🎬';\n/**\n * What came\n * of it.\n */\n`;
  expect(countExpressions([sourceFile('packages/planted.ts', text)])).toEqual({
    words: 5,
    found: ['packages/planted.ts: Whoever', 'packages/planted.ts: What came of', 'packages/planted.ts: came'],
  });
});
