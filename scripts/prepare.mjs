/** Prepares a start: the set-up, and what must be built. If there is nothing to do, it takes a few milliseconds. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { BUILDS, isCurrent, ROOT } from './build/stamps.mjs';

process.argv.push('--for-start');
await import('./setup.mjs');
if (!Object.keys(BUILDS).every(isCurrent)) {
  const node = join(ROOT, 'node_modules', '.cache', 'node');
  const { status } = spawnSync(node, [join(ROOT, 'scripts', 'build.mjs')], { cwd: ROOT, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
