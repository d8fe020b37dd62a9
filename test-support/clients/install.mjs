/** Installs the client libraries of this folder, about 100 MB. Does nothing if they are already installed. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = import.meta.dirname;
const stamp = path.join(folder, 'node_modules', '.installed');
const wanted = createHash('sha256')
  .update(readFileSync(path.join(folder, 'package-lock.json')))
  .digest('hex');

if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) process.exit(0);
const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], { cwd: folder, stdio: 'inherit' });
if (status === 0) writeFileSync(stamp, wanted);
process.exit(status ?? 1);
