/** A package of this repository as npm packs it, installed outside of the repository. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const ROOT_MODULES = here('../node_modules');

export interface PackedPackage {
  /** An empty project that has the package in its node_modules. */
  project: string;
  /** The package in there. */
  folder: string;
  tarball: string;
  remove(): Promise<void>;
}

/**
 * Does what `npm install TARBALL` does, without a registry: only what the package declares is linked.
 * @param name folder below `packages`
 */
export async function installPacked(name: string): Promise<PackedPackage> {
  const temporary = await mkdtemp(join(tmpdir(), `reelay-packed-${name}-`));
  const [built, project] = [join(temporary, 'built'), join(temporary, 'project')];
  await run(process.execPath, [here('../scripts/build-package.mjs'), built], { cwd: here(`../packages/${name}`) });
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts'], { cwd: built });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const tarball = join(built, filename);
  const modules = join(project, 'node_modules');
  const folder = join(modules, '@reelay', name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  const { dependencies = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  for (const dependency of Object.keys(dependencies)) {
    await mkdir(join(modules, dependency, '..'), { recursive: true });
    await symlink(join(ROOT_MODULES, dependency), join(modules, dependency));
  }
  return { project, folder, tarball, remove: () => rm(temporary, { recursive: true, force: true }) };
}

/** @returns the findings of publint and of "Are the types wrong?"; empty if nothing was found */
export async function packingProblems({ tarball }: PackedPackage): Promise<string> {
  return outputOfFailed(run(process.execPath, [here('../scripts/check-package.mjs'), tarball]));
}

/**
 * Checks the types of files in the project, and of JavaScript too.
 * @param lib `node` for programs of Node, `dom` for a browser without Node's types
 * @returns the output of the compiler; empty if there is no error
 */
export async function typeErrors(project: string, files: readonly string[], lib: 'node' | 'dom'): Promise<string> {
  const libraries = {
    node: ['--lib', 'es2024', '--types', 'node', '--typeRoots', join(ROOT_MODULES, '@types')],
    dom: ['--lib', 'es2024,dom', '--types', ''],
  };
  const settings = [
    '--noEmit',
    '--strict',
    '--checkJs',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--pretty',
    'false',
  ];
  const command = [...settings, ...libraries[lib], ...files];
  return outputOfFailed(run(join(ROOT_MODULES, '.bin/tsc'), command, { cwd: project }));
}

/** Resolves with '' if a program succeeds, else with its output. */
function outputOfFailed(running: Promise<unknown>): Promise<string> {
  return running.then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );
}

/** The examples of a package's README, in order. */
export async function readmeExamples(name: string): Promise<string[]> {
  const readme = await readFile(here(`../packages/${name}/README.md`), 'utf8');
  return [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, example = '']) => example);
}
