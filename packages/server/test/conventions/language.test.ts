/** Tests of plain language. */
import { expect, test } from 'vitest';
import { countExpressions, fragments, longTitles, type TextKind } from './language.ts';
import { readTree, sourceFile } from './tree.ts';

/** Words of each kind, at least, so that none is read as empty. */
const MIN_WORDS = { comments: 100_000, titles: 20_000, messages: 10_000, output: 10_000, documents: 50_000 } as const;
const MAX_TITLE_WORDS = 10;

const tree = await readTree();

test.each(Object.entries(MIN_WORDS))('%s have no idiosyncratic expressions', (kind, min) => {
  const { words, found } = countExpressions(tree, kind as TextKind);
  expect(words).toBeGreaterThan(min);
  expect(found).toEqual([]);
});

test('test titles are short', () => {
  expect(longTitles(tree, MAX_TITLE_WORDS)).toEqual([]);
});

test('test titles outside of groups have a subject', () => {
  expect(fragments(tree)).toEqual([]);
});

test('titles of all kinds of tests are counted', () => {
  const planted = [
    ['a.test.ts', "  test('one two', { tag: '@layout' }, () => {});"],
    ['b.test.tsx', "test.each<[string, () => void]>([['a', (b) => c(b)]])(\n  '%s two', () => {});"],
    ['c.e2e.ts', "test.runIf(here())('one two', () => {});"],
    ['suites/d.ts', "test(seeded('one two'), () => {});"],
    ['e.ts', 'it(`one $' + '{two}`, () => {});'],
    ['f.ts', "await test('one two', 1);"],
  ].map(([path, text = '']) => sourceFile(`apps/web/test/${path}`, text));
  expect(longTitles(planted, 1)).toEqual([
    'apps/web/test/a.test.ts: one two (2 words)',
    'apps/web/test/b.test.tsx: %s two (2 words)',
    'apps/web/test/c.e2e.ts: one two (2 words)',
    'apps/web/test/suites/d.ts: one two (2 words)',
    'apps/web/test/e.ts: one $' + '{two} (2 words)',
  ]);
  expect(longTitles(planted, 2)).toEqual([]);
});

test('titles without a subject are found outside of groups', () => {
  const text = `
    test('is sent', () => {});
    test('without a key', () => {});
    test('what is sent arrives', () => {});
    test('a mail is sent', () => {});
    describe('a mail', () => {
      test('is sent', () => {});
      test.describe('at night', () => test('is sent', () => {}));
    });
    test.each(['is'])('%s', () => {});`;
  expect(fragments([sourceFile('packages/cli/test/a.test.ts', text)])).toEqual(
    ['is sent', 'without a key', 'what is sent arrives'].map((title) => `packages/cli/test/a.test.ts: ${title}`),
  );
});

test('expressions are found across lines of comments only', () => {
  const text = `// Whoever\nconst whoever = 'whatever 🎬';\n/**\n * What came\n * of it.\n */\n`;
  expect(countExpressions([sourceFile('packages/planted.ts', text)], 'comments')).toEqual({
    words: 5,
    found: ['packages/planted.ts: Whoever', 'packages/planted.ts: What came of', 'packages/planted.ts: came'],
  });
});

test.each([
  ['comments', 'apps/web/src/a.tsx', 'const a = <p>Whatever{/* Whoever */}</p>;'],
  ['titles', 'packages/cli/test/a.test.ts', "test('whoever reads it', () => {});"],
  ['titles', 'packages/cli/test/a.test.ts', "describe('whoever', () => {});"],
  ['titles', 'apps/web/test/e2e/a.e2e.ts', "  test('whoever reads it', { tag: '@layout' }, () => {});"],
  ['messages', 'packages/server/src/messages/a.ts', "export const A = { b: 'Whoever reads {it}.' };"],
  ['messages', 'packages/server/src/connectors/x/messages.ts', 'export const A = { b: `Whoever` };'],
  ['messages', 'packages/cli/src/messages.ts', "export const A = { b: 'Whoever' };"],
  ['messages', 'apps/web/src/messages/en/a.ts', "export const A = { b: 'Whoever' };"],
  ['output', 'scripts/a.mjs', "console.log('Whoever'); // Whatever"],
  ['output', 'packages/cli/src/remote/a.ts', 'throw new Error(`Whoever`);'],
  ['output', '.ci/run', "echo 'Whoever'"],
  ['documents', 'docs/guide/a.md', 'Whoever\nreads it.'],
] as const)('expressions are found in %s of %s: %s', (kind, path, text) => {
  const { found } = countExpressions([sourceFile(path, text)], kind);
  expect(found).toEqual([expect.stringMatching(new RegExp(`^${path}: whoever$`, 'i'))]);
});

test.each([
  ['messages', 'packages/server/src/messages/de/a.ts'],
  ['messages', 'packages/server/src/connectors/x/messages.de.ts'],
  ['output', 'packages/server/src/a.ts'],
  ['documents', 'docs/spec/decisions.md'],
  ['titles', 'packages/cli/src/harness.ts'],
] as const)('%s are not taken from %s', (kind, path) => {
  expect(countExpressions([sourceFile(path, "test('whoever', () => {});")], kind).found).toEqual([]);
});
