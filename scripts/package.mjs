/**
 * Makes the package `reelay`: the built service, command line and dashboard. What is bundled needs no other package, so it
 * depends only on Node, the embedded database, and one list.
 *   node scripts/package.mjs [FOLDER]
 * Writes `reelay-VERSION.tgz` to FOLDER (default: the working directory) and prints its path.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { buildProgram } from './build/programs.mjs';
import { ROOT } from './build/stamps.mjs';

const [to = '.'] = process.argv.slice(2);
const PLACE = join(ROOT, 'node_modules', '.cache', 'package');
/** Files and folders that are as in a clone. */
const FILES = ['LICENSE', 'CHANGELOG.md', 'apps/web/dist', 'packages/cli/bin'];

run(process.execPath, [join(ROOT, 'scripts/build.mjs'), 'web']);
rmSync(PLACE, { recursive: true, force: true });
// In a clone, the folder of the service also has files of older builds.
for (const name of ['server', 'cli']) await buildProgram(name, join(PLACE, 'packages', name, 'dist'));
for (const file of FILES) {
  mkdirSync(dirname(join(PLACE, file)), { recursive: true });
  cpSync(join(ROOT, file), join(PLACE, file), { recursive: true });
}
cpSync(join(ROOT, 'packages/cli/README.md'), join(PLACE, 'README.md'));
writeFileSync(join(PLACE, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
const packed = JSON.parse(
  run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(to)], { cwd: PLACE }),
);
console.log(join(resolve(to), packed[0].filename));

function manifest() {
  const { name, version, description, license, optionalDependencies: node } = read('package.json');
  const { dependencies, optionalDependencies: databases } = read('packages/server/package.json');
  return {
    ...{ name, version, description, license },
    type: 'module',
    engines: { node: '>=20' },
    os: ['linux', 'darwin'],
    bin: { reelay: 'packages/cli/bin/reelay' },
    // Read as a file, so not in the bundle.
    dependencies: { 'popular-passwords': dependencies['popular-passwords'] },
    optionalDependencies: { ...node, ...databases },
  };
}

function read(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

function run(program, args, options = {}) {
  const { status, stdout } = spawnSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  });
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}
