/**
 * Writes all generated files.
 *   npm run generate [-- --check]
 * With --check nothing is written; exits 1 if a file is out of date.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAKERS = [
  'complete-lock.mjs',
  'generate-icons.mjs',
  'generate-registry.mjs',
  'openapi.ts',
  'generate-sdk.mjs',
  'schema.ts',
];

for (const maker of MAKERS) {
  const path = fileURLToPath(new URL(maker, import.meta.url));
  const { status } = spawnSync(process.execPath, [path, ...process.argv.slice(2)], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
