/**
 * Password access to the embedded PostgreSQL: two roles, each with a password in the server's folder. Its socket alone
 * is no protection, because other programs may run as the same user.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunAs } from './cluster-user.ts';

/** A role and the file with its password. */
export interface Access {
  role: string;
  passwordFile: string;
}

/** The superuser. Used only at startup, to prepare the database for the application. */
export const SUPERUSER: Access = Object.freeze({ role: 'reelay', passwordFile: 'password' });

/** The role of the service and its commands. It owns its database and has no other privileges. */
export const APPLICATION: Access = Object.freeze({ role: 'reelay_app', passwordFile: 'app-password' });

/** Slow hashing adds nothing to a password of 256 random bits, and would delay every connection. */
export const PASSWORD_SETTINGS = ['-c', 'scram_iterations=1', '-c', 'password_encryption=scram-sha-256'] as const;

/** Reads the password of a role from the server's folder; undefined if it has none, as in earlier versions. */
export async function readPassword(folder: string, { passwordFile }: Access): Promise<string | undefined> {
  return (await readFile(join(folder, passwordFile), 'utf8').catch(() => '')) || undefined;
}

/** Reads the password of a role; creates it if missing. */
export async function ensurePassword(folder: string, access: Access): Promise<string> {
  const known = await readPassword(folder, access);
  if (known) return known;
  const password = randomBytes(32).toString('base64url');
  await writeFile(join(folder, access.passwordFile), password, { mode: 0o600 });
  return password;
}

/** Runs `work` with a password file that another user's program can read. */
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

/**
 * Requires a password for every connection. The fingerprint identifies the superuser password the server was set up
 * with.
 */
function rulesFor(password: string): string {
  const fingerprint = createHash('sha256').update(password).digest('hex').slice(0, 16);
  return `# Written by Reelay for password ${fingerprint}.\nlocal all all scram-sha-256\n`;
}

/** Returns whether the server was set up with this superuser password. */
export async function hasRules(data: string, password: string): Promise<boolean> {
  return (await readFile(join(data, 'pg_hba.conf'), 'utf8').catch(() => '')) === rulesFor(password);
}

export async function writeRules(data: string, user: RunAs, password: string): Promise<void> {
  await writeOwned(join(data, 'pg_hba.conf'), user, rulesFor(password));
}

/**
 * Writes rules without a password, for a server whose superuser password is unknown. Safe only while a password is
 * being set, and with a socket that only the server's user can reach.
 * @returns path of the file
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
