/** Runs all static checks. A failed check does not stop the others. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { typeCheck } from './type-check.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => join(ROOT, 'node_modules', '.bin', name);

const CHECKS = {
  types: typeCheck(ROOT),
  'types of the dashboard': [bin('tsc'), '--noEmit', '-p', 'apps/web'],
  'types of the API reference': [bin('tsc'), '--noEmit', '-p', 'apps/reference'],
  style: [bin('biome'), 'ci', '.'],
  'unused code': [bin('knip')],
  'generated files': [process.execPath, 'scripts/generate.mjs', '--check'],
  'the OpenAPI document': [bin('redocly'), 'lint', 'docs/openapi.json'],
};

const failed = [];
for (const [name, [program, ...args]] of Object.entries(CHECKS)) {
  console.log(`\n== ${name}`);
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  if (spawnSync(program, args, { cwd: ROOT, stdio: 'inherit', env }).status !== 0) failed.push(name);
}
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}.`);
if (failed.length > 0) process.exitCode = 1;
