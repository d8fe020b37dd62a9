/** Versions of Reelay that are measured in turn. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { basics, ROOT, startScript } from './service.ts';

const run = promisify(execFile);

export interface Version {
  /** `working tree`, or what a commit was called. */
  name: string;
  root: string;
}

export const WORKING_TREE: Version = { name: 'working tree', root: ROOT };

/**
 * Copies a commit into an empty folder outside the repository, whose packages it would find otherwise, and installs it.
 * @param commit hash or tag
 * @throws Error if there is no such commit, or if it cannot be installed
 */
export async function checkOut(commit: string, root: string): Promise<Version> {
  await run('sh', ['-c', 'git archive --format=tar "$1" | tar -x -C "$2"', 'sh', commit, root], { cwd: ROOT });
  const { stdout } = await run('git', ['log', '-1', '--format=%h', commit], { cwd: ROOT });
  const env = basics();
  await run('npm', ['ci', '--silent'], { cwd: root, env });
  const hash = stdout.trim();
  return { name: commit.startsWith(hash) ? hash : `${commit} (${hash})`, root };
}

/** Does what `npm start` does before it executes the service, so that a start is measured without it. */
export async function setUp({ root }: Version): Promise<void> {
  await run('sh', ['-c', startScript(root).setUp], { cwd: root, env: basics() });
}
