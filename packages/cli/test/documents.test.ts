/** Tests that every command shown in the documentation exists, with the options shown. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../src/program.ts';

const top = fileURLToPath(new URL('../../../', import.meta.url));
const documents = (await readdir(join(top, 'docs'), { recursive: true }))
  .filter((path) => path.endsWith('.md') && !path.startsWith('spec'))
  .map((path) => join('docs', path))
  .concat('README.md');

/** Command lines in the documents: the text after `npx reelay`, up to the end of the code or line. */
const shown = (
  await Promise.all(
    documents.map(async (document) => {
      const text = await readFile(join(top, document), 'utf8');
      return [...text.matchAll(/npx reelay ([^`\n)#|]+)/g)].map(([, words]) => ({
        document,
        words: (words ?? '').trim(),
      }));
    }),
  )
).flat();

const none = () => {
  throw new Error('No command is run here.');
};
const program = createProgram(new Command(), { environment: none, remote: none });

test.each(shown)('$words ($document)', ({ words }) => {
  let command = program;
  let value = false;
  for (const word of words.split(/\s+/)) {
    const option = command.options.find(({ long }) => long === word);
    if (word.startsWith('-')) expect(option, word).toBeDefined();
    else if (!value && command.commands.length > 0) {
      const next = command.commands.find((each) => each.name() === word);
      expect(next, word).toBeDefined();
      command = next ?? command;
    }
    value = option?.required === true;
  }
  expect(command).not.toBe(program);
});

test('the documentation mentions every command', async () => {
  const text = await readFile(join(top, 'docs/guide/command-line.md'), 'utf8');
  const names = (command: Command): string[] => command.commands.flatMap((each) => [each.name(), ...names(each)]);
  for (const name of names(program)) expect(text).toMatch(new RegExp(`\\b${name}\\b`));
});
