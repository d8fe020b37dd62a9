/**
 * Who may connect to the embedded PostgreSQL: two roles, each with a password in the server's folder. Its socket alone does
 * not protect it, because it may run as a user that other programs run as too.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunAs } from './cluster-user.ts';

/** A role and the file that holds its password. */
export interface Access {
  role: string;
  passwordFile: string;
}

/** The superuser. Only starts use it, to prepare the database for the application. */
export const SUPERUSER: Access = Object.freeze({ role: 'reelay', passwordFile: 'password' });

/** The role of the service and its commands. It owns its database and has no right beyond it. */
export const APPLICATION: Access = Object.freeze({ role: 'reelay_app', passwordFile: 'app-password' });

/** A password of 256 random bits gains nothing from slow hashing, and every connection would wait for it. */
export const PASSWORD_SETTINGS = ['-c', 'scram_iterations=1', '-c', 'password_encryption=scram-sha-256'] as const;

/** The password of a role of the server in a folder; undefined where it has none, as in earlier versions. */
export async function readPassword(folder: string, { passwordFile }: Access): Promise<string | undefined> {
  return (await readFile(join(folder, passwordFile), 'utf8').catch(() => '')) || undefined;
}

/** The password of a role, made when there is none. */
export async function ensurePassword(folder: string, access: Access): Promise<string> {
  const known = await readPassword(folder, access);
  if (known) return known;
  const password = randomBytes(32).toString('base64url');
  await writeFile(join(folder, access.passwordFile), password, { mode: 0o600 });
  return password;
}

/** Runs with a file that has the password, for a program of another user. */
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

/** Every connection needs a password. The fingerprint tells for which one of the superuser the server was set up. */
function rulesFor(password: string): string {
  const fingerprint = createHash('sha256').update(password).digest('hex').slice(0, 16);
  return `# Written by Reelay for password ${fingerprint}.\nlocal all all scram-sha-256\n`;
}

/** Whether the server was set up for this superuser's password. */
export async function hasRules(data: string, password: string): Promise<boolean> {
  return (await readFile(join(data, 'pg_hba.conf'), 'utf8').catch(() => '')) === rulesFor(password);
}

export async function writeRules(data: string, user: RunAs, password: string): Promise<void> {
  await writeOwned(join(data, 'pg_hba.conf'), user, rulesFor(password));
}

/**
 * Rules for a server whose superuser's password is unknown: no password. Safe only with a socket that the server's user
 * alone can reach, and for as long as it takes to set a password. @returns path of the file
 */
export async function writeOpenRules(data: string, user: RunAs): Promise<string> {
  const path = join(data, 'pg_hba.open.conf');
  await writeOwned(path, user, 'local postgres all trust\n');
  return path;
}

async function writeOwned(path: string, user: RunAs, text: string): Promise<void> {
  await rm(`${path}.new`, { force: true });
  await writeFile(`${path}.new`, text, { mode: 0o600, flag: 'wx' });
  await user.own(`${path}.new`);
  await rename(`${path}.new`, path);
}
