/**
 * Packs the package `reelay`, installs it as users do, and runs its tests. Needs a registry and ffmpeg.
 *   npm run test:package
 */
import { spawnSync } from 'node:child_process';
import { ROOT } from './build/stamps.mjs';

const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'packages/cli/test/installed', ...process.argv.slice(2)],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, REELAY_PACKAGE: '1' } },
);
process.exitCode = status ?? 1;
