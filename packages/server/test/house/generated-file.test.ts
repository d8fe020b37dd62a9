import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemsOf } from '../../../../scripts/generated-file.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'reelay-generated-'));
  await writeFile(
    join(root, '.gitattributes'),
    '# generated\nmarked.json linguist-generated\nall/* linguist-generated\n',
  );
  await mkdir(join(root, 'all'));
  for (const name of ['marked.json', 'plain.json', 'all/one.json']) await writeFile(join(root, name), '{}');
});
afterAll(() => rm(root, { recursive: true }));

test.each([
  ['marked.json', '{}', []],
  ['marked.json', '{"a":1}', ['marked.json is out of date: run npm run generate.']],
  ['all/one.json', '{}', []],
  ['plain.json', '{}', ['plain.json is generated: mark it in .gitattributes.']],
  [
    'absent.json',
    '{}',
    ['absent.json is out of date: run npm run generate.', 'absent.json is generated: mark it in .gitattributes.'],
  ],
])('the generated file %s is checked with %s', (path, text, problems) => {
  expect(problemsOf(root, path, text)).toEqual(problems);
});
