/** Compares the documentation with the code: everything documented exists, and everything is documented. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { OPERATIONS, RAWS } from '../../src/app/operations.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { ERRORS } from '../../src/errors/reelay-error.ts';

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

/** The anchors of a document, as GitHub makes them from its headings. */
function anchorsOf(text: string): string[] {
  const counts = new Map<string, number>();
  const headings = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} +(.+?) *$/gm);
  return [...headings].map(([, heading = '']) => {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '').replace(/\s/g, '-');
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

test('every anchor in a link is a heading', async () => {
  const links = Object.entries(texts).flatMap(([path, text]) =>
    [...text.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)].map(([, target = '', anchor = '']) => ({
      path,
      target,
      anchor,
    })),
  );
  expect(links.length).toBeGreaterThan(10);
  for (const { path, target, anchor } of links) {
    const document = target === '' ? path : join(dirname(path), target);
    if (document.endsWith('.md'))
      expect(anchorsOf(await read(document)), `${path}: ${target}#${anchor}`).toContain(anchor);
  }
});

test('anchors of headings are as GitHub makes them', () => {
  expect(anchorsOf('# A `b` c: d\n```\n# no\n```\n## [Link](x.md) & more\n## A b c d\n')).toEqual([
    'a-b-c-d',
    'link--more',
    'a-b-c-d-1',
  ]);
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

test('errors are documented with their statuses and messages', () => {
  const rows = (texts['docs/guide/errors.md'] ?? '').split('\n');
  for (const [code, [status, message]] of Object.entries(ERRORS))
    expect(rows).toContain(`| \`${code}\` | ${status} | ${message} |`);
});

test('exactly the existing actions of the audit trail are documented', async () => {
  const folder = 'packages/server/src';
  const files = (await readdir(join(top, folder), { recursive: true })).filter((file) => file.endsWith('.ts'));
  const things = 'session|user|password|passkey|second-factor|key|account|rule|application|sandbox';
  const sources = await Promise.all(files.map((file) => read(join(folder, file))));
  const written = sources
    .filter((text) => /\b(?:audit|writeAudit|action)\b/i.test(text))
    .flatMap((text) =>
      [...text.matchAll(new RegExp(`'((?:${things})\\.[a-z]+)'`, 'g'))].map(([, action = '']) => action),
    );
  const users = texts['docs/operate/users.md'] ?? '';
  expect([...new Set(cells(users.slice(users.indexOf('## Audit trail'))))].sort()).toEqual(
    [...new Set(written)].sort(),
  );
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

/** Platforms that tests in `test/real` run against a server of the platform's own software. */
async function realServers(): Promise<string[]> {
  const folder = 'packages/server/test/real';
  const files = (await readdir(join(top, folder))).filter((file) => file.endsWith('.test.ts'));
  const sources = await Promise.all(files.map(async (file) => [file, await read(join(folder, file))] as const));
  const servers = sources
    .filter(([, text]) => /from '\.\/pds\.ts'/.test(text))
    .map(([file]) => file.split('-')[0] ?? '');
  return [...new Set(servers)];
}

test('the README tells truly which platforms were tested how', async () => {
  const readme = texts['README.md'] ?? '';
  const rows = new Map(
    [...readme.matchAll(/^\| ([A-Z][^|]*?) \| ([^|]+?) \| ([^|]+?) \| ([^|]+?) \|$/gm)].map(
      ([, name = '', real = '', clients = '', own = '']) => [name, { real, clients, own }],
    ),
  );
  const simulated = (await readdir(join(top, 'packages/sandbox/src/platforms'), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const real = await realServers();
  const driven = [...(texts['docs/platforms/README.md'] ?? '').matchAll(/^\| (\w+) \| (`[^`]+`) \|/gm)];
  expect(real.length).toBeGreaterThan(0);
  for (const { id, name } of Object.values(connectors)) {
    const row = rows.get(name);
    expect([name, row?.own]).toEqual([name, simulated.includes(id) ? 'yes' : 'no']);
    const clients = driven.flatMap(([, platform, client]) => (platform === id ? [client] : []));
    expect([name, row?.clients]).toEqual([name, clients.join(', ')]);
    expect([name, row?.real !== 'never']).toEqual([name, real.includes(id)]);
  }
  expect(rows.size).toBe(Object.keys(connectors).length);
  const names = Object.values(connectors)
    .map(({ name }) => name)
    .join('|');
  expect(Object.values(texts).join('\n')).not.toMatch(new RegExp(`works with (?:${names})`, 'i'));
});
