/**
 * Builds the package to JavaScript, since Node strips no types below node_modules.
 *   node scripts/build.mjs [FOLDER]
 * FOLDER (default: dist) is emptied first. It is a package of its own: run `npm pack` or `npm publish` there.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const ROOT = join(PACKAGE, '..', '..');
const out = resolve(process.argv[2] ?? join(PACKAGE, 'dist'));

rmSync(out, { recursive: true, force: true });
const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
const { status } = spawnSync(tsc, ['-p', join(PACKAGE, 'tsconfig.build.json'), '--outDir', out], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

const {
  private: _private,
  scripts: _scripts,
  ...source
} = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
const built = {
  ...source,
  bin: { 'reelay-sandbox': './src/cli/main.js' },
  exports: { '.': { types: './src/index.d.ts', default: './src/index.js' } },
};
writeFileSync(join(out, 'package.json'), `${JSON.stringify(built, null, 2)}\n`);
copyFileSync(join(PACKAGE, 'README.md'), join(out, 'README.md'));
copyFileSync(join(ROOT, 'LICENSE'), join(out, 'LICENSE'));
