/** Tests of plain language. The limits may only be lowered. */
import { expect, test } from 'vitest';
import { countExpressions, type TextKind, titleLengths } from './language.ts';
import { readTree, sourceFile } from './tree.ts';

/** Expressions per 1,000 words. */
const MAX_EXPRESSIONS = { comments: 0.5, titles: 1, messages: 0.3, documents: 0.5 } as const;
const MIN_WORDS = 10_000;
/** In words, at the 90th percentile. */
const MAX_TITLE_WORDS = 10;

const tree = await readTree();

test.each(Object.entries(MAX_EXPRESSIONS))('%s have few idiosyncratic expressions', (kind, limit) => {
  const { words, found } = countExpressions(tree, kind as TextKind);
  expect(words).toBeGreaterThan(MIN_WORDS);
  expect((1_000 * found.length) / words, found.join('\n')).toBeLessThanOrEqual(limit);
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
  expect(countExpressions([sourceFile('packages/planted.ts', text)], 'comments')).toEqual({
    words: 5,
    found: ['packages/planted.ts: Whoever', 'packages/planted.ts: What came of', 'packages/planted.ts: came'],
  });
});

test.each([
  ['titles', 'packages/cli/test/a.test.ts', "test('whoever reads it', () => {});"],
  ['titles', 'apps/web/test/e2e/a.e2e.ts', "  test('whoever reads it', { tag: '@layout' }, () => {});"],
  ['messages', 'packages/server/src/messages/a.ts', "export const A = { b: 'Whoever reads {it}.' };"],
  ['messages', 'packages/server/src/connectors/x/messages.ts', 'export const A = { b: `Whoever` };'],
  ['messages', 'packages/cli/src/messages.ts', "export const A = { b: 'Whoever' };"],
  ['messages', 'apps/web/src/messages/en/a.ts', "export const A = { b: 'Whoever' };"],
  ['documents', 'docs/guide/a.md', 'Whoever\nreads it.'],
] as const)('finds expressions in %s of %s', (kind, path, text) => {
  const { found } = countExpressions([sourceFile(path, text)], kind);
  expect(found).toEqual([expect.stringMatching(new RegExp(`^${path}: whoever$`, 'i'))]);
});

test.each([
  ['messages', 'packages/server/src/messages/de/a.ts'],
  ['messages', 'packages/server/src/connectors/x/messages.de.ts'],
  ['documents', 'docs/spec/decisions.md'],
  ['titles', 'packages/cli/test/harness.ts'],
] as const)('%s are not taken from %s', (kind, path) => {
  expect(countExpressions([sourceFile(path, "test('whoever', () => {});")], kind).found).toEqual([]);
});
