/** What is built, from which sources, and whether it is current. Runs on Node 20 without any package. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'node_modules', '.cache');

/** By name: what is read, the folder that is written, and what must be in it. All relative to the root. */
export const BUILDS = {
  web: {
    sources: ['apps', 'packages/sdk/src', 'package-lock.json'],
    output: 'apps/web/dist',
    parts: ['app', 'docs'],
  },
  server: {
    sources: ['packages/server/src', 'packages/sandbox/src', 'package-lock.json'],
    output: 'packages/server/dist',
    parts: ['main.js'],
  },
};
const NO_SOURCES = ['dist', 'node_modules', 'test'];

/** Paths of the files below a folder, or of the file itself. */
export function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !NO_SOURCES.includes(name) && !name.startsWith('dist.'))
    .flatMap(({ name }) => filesBelow(join(path, name)));
}

/** Identifies the sources without reading them. */
export function fingerprint(name) {
  const hash = createHash('sha256');
  for (const file of BUILDS[name].sources.flatMap((path) => filesBelow(join(ROOT, path))).sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(ROOT, file)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

const stampOf = (name) => join(CACHE, `${name}.json`);

function builtFrom(name) {
  try {
    return JSON.parse(readFileSync(stampOf(name), 'utf8')).sources;
  } catch {
    return null;
  }
}

export function isCurrent(name) {
  const { output, parts } = BUILDS[name];
  return builtFrom(name) === fingerprint(name) && parts.every((part) => existsSync(join(ROOT, output, part)));
}

/** Call it after the build. @param sources the fingerprint from before it */
export function writeStamp(name, sources) {
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(stampOf(name), JSON.stringify({ sources }));
}
