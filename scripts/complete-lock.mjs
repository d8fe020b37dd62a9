/**
 * Adds the optional packages for other platforms that npm omitted from package-lock.json.
 *   node scripts/complete-lock.mjs [--check]
 * A registry mirror may lack packages for platforms that its users do not need. npm then writes no entries for them,
 * and `npm ci` rejects the lock file as out of sync. The dependent package pins exact versions, so the entries can be
 * written without a registry request. With --check nothing is written; exits 1 if entries are missing.
 */
import { readFileSync } from 'node:fs';
import { putGenerated } from './generated-file.ts';

const SYSTEMS = { windows: 'win32' };
const KNOWN_SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'windows'];
const KNOWN_PROCESSORS = ['arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32'];

/**
 * The operating system and CPU of a package, derived from its name. npm needs both to skip the package on other
 * platforms.
 */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const system = words.find((word) => KNOWN_SYSTEMS.includes(word));
  const processor = words.find((word) => KNOWN_PROCESSORS.includes(word));
  if (!system || !processor) return null;
  const libc = words.some((word) => word.startsWith('musl')) ? { libc: ['musl'] } : {};
  return { cpu: [processor], ...libc, os: [SYSTEMS[system] ?? system] };
}

/** Whether a package at `place` resolves `name`, searching parent folders as Node does. */
function isFound(packages, place, name) {
  for (let folder = place; ; ) {
    if (packages[`${folder}${folder ? '/' : ''}node_modules/${name}`]) return true;
    if (!folder) return false;
    folder = folder.replace(/(^|\/)(node_modules\/(@[^/]+\/)?)?[^/]+$/, '');
  }
}

/** The missing entries by location. */
export function missingEntries(packages) {
  const missing = {};
  for (const [place, { optionalDependencies = {}, dev }] of Object.entries(packages))
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const platform = platformOf(name);
      if (!platform || !/^\d+\.\d+\.\d+[\w.-]*$/.test(version) || isFound(packages, place, name)) continue;
      // Sorted as npm sorts them, so that npm leaves them unchanged.
      const entry = { ...platform, ...(dev ? { dev } : {}), optional: true };
      missing[`node_modules/${name}`] = { version, ...Object.fromEntries(Object.entries(entry).sort()) };
    }
  return missing;
}

if (process.argv[1]?.endsWith('complete-lock.mjs')) {
  const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
  const lock = JSON.parse(text);
  const missing = missingEntries(lock.packages);
  const all = Object.entries({ ...lock.packages, ...missing });
  lock.packages = Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)));
  const isComplete = Object.keys(missing).length === 0;
  putGenerated('package-lock.json', isComplete ? text : `${JSON.stringify(lock, null, 2)}\n`);
}
