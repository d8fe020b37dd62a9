/** `.ci/landed.json`: the last landed commit and the next slice of the campaign. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from './plan.ts';

export interface Landed {
  /** Full hash. */
  commit: string;
  /** Number of the slice that the next landing runs, from 1. */
  slice: number;
}

const FILE = '.ci/landed.json';

/** Runs git in the repository. @throws Error if it fails */
const git = (root: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** @param root folder of the repository */
export function readLanded(root: string): Landed {
  return JSON.parse(readFileSync(join(root, FILE), 'utf8')) as Landed;
}

/**
 * Returns the paths that changed since a commit, including uncommitted changes; null if git does not know it. Sources of
 * which only imports changed are left out: when a module moves, all files that import it change so.
 */
export function changedSince(root: string, commit: string): string[] | null {
  try {
    git(root, 'merge-base', '--is-ancestor', commit, 'HEAD');
    // Renames count on both sides.
    const changed = git(root, 'diff', '--name-only', '--no-renames', commit).split('\n').filter(Boolean);
    return changed.filter((path) => !changedOnlyImports(root, commit, path));
  } catch {
    return null;
  }
}

function changedOnlyImports(root: string, commit: string, path: string): boolean {
  const here = join(root, path);
  if (!path.endsWith('.ts') || !existsSync(here)) return false;
  if (git(root, 'ls-tree', '--name-only', commit, '--', path) === '') return false;
  return withoutImports(git(root, 'show', `${commit}:${path}`)) === withoutImports(readFileSync(here, 'utf8'));
}

/** The text without imports and re-exports of other modules. */
function withoutImports(text: string): string {
  return text.replace(/^(?:import|export)\s(?:[^;'"]*\sfrom\s)?'[^'\n]+';\n/gm, '');
}

/**
 * Writes the file for the next landing: the last commit that changed it was the last one of the previous landing.
 * @throws Error if the file was already changed since that commit
 */
export function advance(root: string): Landed {
  const commit = git(root, 'log', '-1', '--format=%H', '--', FILE).trim();
  const { slice } = readLanded(root);
  if (git(root, 'status', '--porcelain', '--', FILE)) throw new Error(`${FILE} has changes that are not committed.`);
  const next = { commit, slice: after(slice) };
  writeFileSync(join(root, FILE), `${JSON.stringify(next, null, 2)}\n`);
  return next;
}
