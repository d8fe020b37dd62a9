/**
 * Builds the package in the working directory to JavaScript with types, since Node strips no types below node_modules.
 *   node ../../scripts/build-package.mjs [FOLDER]
 * FOLDER (default: dist) is emptied first. It is a package of its own: run `npm pack` or `npm publish` there.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const out = resolve(process.argv[2] ?? 'dist');

rmSync(out, { recursive: true, force: true });
const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
const { status } = spawnSync(tsc, ['-p', 'tsconfig.build.json', '--outDir', out], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

writeFileSync(
  join(out, 'package.json'),
  `${JSON.stringify(built(JSON.parse(readFileSync('package.json', 'utf8'))), null, 2)}\n`,
);
copyFileSync('README.md', join(out, 'README.md'));
copyFileSync(join(ROOT, 'LICENSE'), join(out, 'LICENSE'));

/** The manifest of the built package: no field that only the repository needs, and JavaScript instead of TypeScript. */
function built({ private: _private, scripts: _scripts, devDependencies: _development, ...manifest }) {
  const paths = (value, to) => Object.fromEntries(Object.entries(value).map(([name, path]) => [name, to(path)]));
  const javaScript = (path) => path.replace(/\.ts$/, '.js');
  const withTypes = (path) => ({ types: path.replace(/\.ts$/, '.d.ts'), default: javaScript(path) });
  // Entries with a pattern are for the other packages of the repository.
  const entries = Object.entries(manifest.exports).filter(([name]) => !name.includes('*'));
  return {
    ...manifest,
    ...(manifest.bin ? { bin: paths(manifest.bin, javaScript) } : {}),
    exports: paths(Object.fromEntries(entries), withTypes),
    files: ['src'],
  };
}
