/**
 * Installs the packages of this folder, and compiles SQLite for the Node that runs this script (the project's own:
 * `node_modules/.bin/node test-support/pds/install.mjs`). Requires npm, g++, make and python3. Does nothing if they are
 * already installed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = import.meta.dirname;
const stamp = path.join(folder, 'node_modules', '.installed');
const wanted = createHash('sha256')
  .update(process.version)
  .update(readFileSync(path.join(folder, 'package-lock.json')))
  .update(readFileSync(path.join(folder, 'object-wrap.h')))
  .digest('hex');

if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) process.exit(0);
const node = path.resolve(path.dirname(process.execPath), '..');
if (!existsSync(path.join(node, 'include', 'node', 'node.h'))) {
  console.error(
    `There are no headers beside ${process.execPath}: run this with node_modules/.bin/node of the project.`,
  );
  process.exit(1);
}
rmSync(stamp, { force: true });
const { status } = spawnSync('npm', ['ci', '--loglevel=error'], {
  cwd: folder,
  stdio: 'inherit',
  env: {
    ...process.env,
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
    npm_config_nodedir: node,
    CXXFLAGS: `${process.env.CXXFLAGS ?? ''} -include "${path.join(folder, 'object-wrap.h')}"`.trim(),
  },
});
if (status === 0) writeFileSync(stamp, wanted);
process.exit(status ?? 1);
