import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadSimulator } from '@reelay/sandbox/registry.ts';
import { expect, test } from 'vitest';
import { loadConnector } from '../../src/connectors/loaders.ts';
import { connectors } from '../../src/connectors/registry.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../../', import.meta.url));

test('the registries match the folders', async () => {
  const check = run(process.execPath, ['scripts/generate-registry.mjs', '--check'], { cwd: root });
  await expect(check).resolves.toMatchObject({ stderr: '' });
});

test('connectors and simulators are named after their folders', async () => {
  for (const [id, connector] of Object.entries(connectors)) expect(connector.id).toBe(id);
  for (const [id, load] of Object.entries(loadConnector)) expect(await load()).toBe(connectors[id]);
  expect(Object.keys(loadConnector)).toEqual(Object.keys(connectors));
  for (const [id, load] of Object.entries(loadSimulator)) expect((await load()).platform).toBe(id);
  expect(Object.keys(loadSimulator)).toEqual(expect.arrayContaining(Object.keys(connectors)));
});

test('connectors load no simulator', async () => {
  // Prints the URL of every module that is loaded with the registry.
  const script = `
    import { registerHooks } from 'node:module';
    const seen = [];
    registerHooks({ load: (url, context, next) => { seen.push(url); return next(url, context); } });
    await import('./packages/server/src/connectors/registry.ts');
    await import('./packages/server/src/accounts/service.ts');
    console.log(JSON.stringify(seen));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: root });
  const seen = JSON.parse(stdout) as string[];
  expect(seen.some((url) => url.endsWith('/registry.ts'))).toBe(true);
  expect(seen.filter((url) => /\/packages\/sandbox\//.test(url))).toEqual([]);
});
