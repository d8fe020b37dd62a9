/** Compares the documentation with the code: everything documented exists, and everything is documented. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { connectors } from '../../src/connectors/registry.ts';
import { ERRORS } from '../../src/errors.ts';
import { OPERATIONS, RAWS } from '../../src/operations.ts';

const top = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (path: string) => readFile(join(top, path), 'utf8');
/** Copies of texts that are older than the code and cover more. */
const AHEAD = ['docs/spec/'];

const documents = (await readdir(join(top, 'docs'), { recursive: true }))
  .filter((path) => path.endsWith('.md'))
  .map((path) => `docs/${path}`)
  .filter((path) => !AHEAD.some((folder) => path.startsWith(folder)))
  .concat(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']);
const texts = Object.fromEntries(await Promise.all(documents.map(async (path) => [path, await read(path)] as const)));

/** Extracts the first cells of table rows, without their backquotes. */
function cells(text: string): string[] {
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? ''));
}

test.each(documents)('every link of %s resolves', async (path) => {
  const targets = [...(texts[path] ?? '').matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(
    ([, target]) => target ?? '',
  );
  for (const target of targets) await expect(read(join(dirname(path), target)), target).resolves.toBeTruthy();
});

test('exactly the existing variables are documented', async () => {
  const checked = await read('packages/server/src/config/variables.ts');
  const known = [...checked.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name ?? '');
  const remote = [...(await read('packages/server/src/config/env.ts')).matchAll(/given\.(REELAY_\w+)/g)].map(
    ([, name]) => name ?? '',
  );
  const documented = cells(texts['docs/operate/configuration.md'] ?? '');
  const applications = documented.filter((name) => /_(?:CLIENT|APP)_(?:ID|KEY|SECRET)$/.test(name));
  const prefixes = Object.values(connectors)
    .filter(({ oauth }) => oauth?.needsApp)
    .flatMap(({ id, oauth }) => oauth?.appNames ?? [oauth?.appName ?? id])
    .map((name) => name.toUpperCase());
  expect([...new Set(applications.map((name) => name.split('_')[0]))].sort()).toEqual([...new Set(prefixes)].sort());
  expect(documented.filter((name) => !applications.includes(name)).sort()).toEqual([...known, ...remote].sort());
});

test('exactly the existing error codes are documented', () => {
  expect(cells(texts['docs/guide/errors.md'] ?? '').sort()).toEqual(Object.keys(ERRORS).sort());
});

test('exactly the existing target codes are documented', async () => {
  const source = await read('packages/server/src/publishing/target.ts');
  const union = /export type TargetCode =([^;]+);/.exec(source)?.[1] ?? '';
  const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code ?? '');
  const history = texts['docs/guide/history.md'] ?? '';
  expect(cells(history.slice(history.indexOf('Codes in'))).sort()).toEqual(codes.sort());
});

describe('operations', () => {
  const named = Object.entries(texts).flatMap(([path, text]) =>
    [...text.matchAll(/`(GET|HEAD|POST|PUT|PATCH|DELETE) (\/[\w/{}-]+)/g)].map(([, method, address]) => ({
      path,
      method,
      address,
    })),
  );

  test.each(named)('$method $address in $path exists', ({ method, address }) => {
    const fits = (pattern: string) =>
      new RegExp(`^(?:/api/v1)?${pattern.replace(/\{\w+\}/g, '(?:\\{\\w+\\}|[A-Z_]+)')}$`).test(address ?? '');
    const pages = ['/health/live', '/health/ready', '/metrics', '/sandbox'];
    const found = [...OPERATIONS, ...RAWS].some((operation) => operation.method === method && fits(operation.path));
    expect(found || (method === 'GET' && pages.includes(address ?? ''))).toBe(true);
  });

  test('all operations are in the guide', () => {
    const all = [...OPERATIONS, ...RAWS]
      .filter(({ method }) => method !== 'OPTIONS')
      .map(({ method, path }) => `${method} ${path}`)
      .filter((each) => !each.includes(' /accounts'));
    const known = named.map(
      ({ method, address }) => `${method} ${(address ?? '').replace(/\/(?:[A-Z_]+|\{\w+\})/g, '/{}')}`,
    );
    for (const each of all)
      expect(known.map((one) => one.toLowerCase())).toContain(each.replace(/\{\w+\}/g, '{}').toLowerCase());
  });
});

test('every script named in a document exists', async () => {
  const scriptsOf = async (folder: string) =>
    Object.keys((JSON.parse(await read(join(folder, 'package.json'))) as { scripts?: object }).scripts ?? {});
  const named = Object.values(texts).flatMap((text) => [
    ...text.matchAll(/npm run ([\w:]+)(?: --workspace @reelay\/(\w+))?/g),
  ]);
  for (const [command, name, workspace] of named)
    expect(await scriptsOf(workspace ? `packages/${workspace}` : ''), command).toContain(name);
});

test('the README lists every platform and claims nothing untested', () => {
  const readme = texts['README.md'] ?? '';
  for (const { name } of Object.values(connectors)) expect(readme).toContain(`| ${name} |`);
  const names = Object.values(connectors)
    .map(({ name }) => name)
    .join('|');
  expect(Object.values(texts).join('\n')).not.toMatch(new RegExp(`works with (?:${names})`, 'i'));
});
