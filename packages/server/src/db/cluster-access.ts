/**
 * Who may connect to the embedded PostgreSQL: whoever can read the password in its folder. Its socket alone does not
 * protect it, because it may run as a user that other programs run as too.
 */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CLEAN_ENVIRONMENT, type RunAs } from './cluster-user.ts';

const run = promisify(execFile);

/** The server's only role. */
export const ROLE = 'reelay';

/** A password of 256 random bits gains nothing from slow hashing, and every connection would wait for it. */
export const PASSWORD_SETTINGS = ['-c', 'scram_iterations=1', '-c', 'password_encryption=scram-sha-256'] as const;

/** The password of the server in a folder; undefined where it has none, as those of earlier versions. */
export async function readPassword(folder: string): Promise<string | undefined> {
  return (await readFile(join(folder, 'password'), 'utf8').catch(() => '')) || undefined;
}

/** The password of a folder, made when there is none. */
export async function ensurePassword(folder: string): Promise<string> {
  const known = await readPassword(folder);
  if (known) return known;
  const password = randomBytes(32).toString('base64url');
  await writeFile(join(folder, 'password'), password, { mode: 0o600 });
  return password;
}

/** Runs with a file that has the password, for a program of the server's user. */
export async function withPasswordFile<T>(
  folder: string,
  user: RunAs,
  password: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(folder, 'password.new');
  await rm(path, { force: true });
  await writeFile(path, password, { mode: 0o600 });
  try {
    await user.own(path);
    return await work(path);
  } finally {
    await rm(path, { force: true });
  }
}

/** Every connection needs the password. The fingerprint tells for which one the server was set up. */
function rulesFor(password: string): string {
  const fingerprint = createHash('sha256').update(password).digest('hex').slice(0, 16);
  return `# Written by Reelay for password ${fingerprint}.\nlocal all all scram-sha-256\n`;
}

export async function writeRules(data: string, user: RunAs, password: string): Promise<void> {
  const path = join(data, 'pg_hba.conf');
  await writeFile(`${path}.new`, rulesFor(password), { mode: 0o600 });
  await user.own(`${path}.new`);
  await rename(`${path}.new`, path);
}

/**
 * Sets the password of a stopped server that does not have it yet: one of an earlier version, or one whose password file
 * was lost. A crash in between is made good by the next start.
 */
export async function secure(data: string, user: RunAs, postgres: string, password: string): Promise<void> {
  const rules = await readFile(join(data, 'pg_hba.conf'), 'utf8').catch(() => '');
  if (rules === rulesFor(password)) return;
  const [program = '', ...args] = user.command(
    [postgres, '--single', '-D', data, '-c', 'io_method=sync', ...PASSWORD_SETTINGS, 'postgres'],
    true,
  );
  const running = run(program, args, { timeout: 120_000, env: CLEAN_ENVIRONMENT });
  running.child.stdin?.end(`alter role ${ROLE} password '${password}'\n`);
  // A statement that fails in this mode does not change the exit status.
  const { stdout, stderr } = await running;
  const trouble = /^.*(ERROR|FATAL|PANIC):.*$/m.exec(stdout + stderr)?.[0];
  if (trouble) throw new Error(`The embedded PostgreSQL could not be given a password: ${trouble}`);
  await writeRules(data, user, password);
}
