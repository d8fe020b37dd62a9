/**
 * Writes every file that is made from others.
 *   npm run generate [-- --check]
 * With --check nothing is written; exit 1 says what is out of step.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAKERS = ['complete-lock.mjs', 'generate-registry.mjs', 'openapi.ts', 'generate-sdk.mjs', 'schema.ts'];

for (const maker of MAKERS) {
  const path = fileURLToPath(new URL(maker, import.meta.url));
  const { status } = spawnSync(process.execPath, [path, ...process.argv.slice(2)], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
