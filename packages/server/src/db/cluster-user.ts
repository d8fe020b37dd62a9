/**
 * Chooses the user that runs the embedded PostgreSQL, which refuses to run as root. Root starts it with a user id that
 * no other program uses (`setpriv`). If that user cannot reach the folder, it runs in a user namespace (`unshare`).
 * There root's files appear to belong to another user. The owner of the files shows which way was chosen before.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface RunAs {
  /** The command line that runs a program as this user. @param dieWithUs Linux stops it when our process dies */
  command(program: string[], dieWithUs: boolean): string[];
  /** Changes the owner of one of our folders to the user. */
  own(path: string): Promise<void>;
  /** Lets only the user's group pass through one of our folders. */
  admit(path: string): Promise<void>;
  /** User id that owns PostgreSQL's files; null: our own. */
  uid: number | null;
  /** User and group, as `chown` takes them. */
  owner: string;
}

/** Many services drop privileges to this user id, so it must not own the database. */
const NOBODY = 65_534;

/** A system user with this name is preferred. */
const USER_NAME = 'reelay';

/** User ids that neither Debian nor systemd assigns, and that are mapped in containers. */
const FREE_IDS = { first: 60_706, count: 478 } as const;

/**
 * Chooses how to run PostgreSQL.
 * @param folder our folder, which exists
 * @param data the folder in it that PostgreSQL owns or will own
 * @throws Error with a sentence when root has no way to run it
 */
export async function chooseUser(folder: string, data: string, postgres: string): Promise<RunAs> {
  if (process.getuid?.() !== 0) return ourselves;
  const owner = await stat(data).catch(() => null);
  const chosenBefore =
    owner && owner.uid !== NOBODY ? (owner.uid === 0 ? nameSpace : otherUser(owner.uid, owner.gid)) : null;
  if (chosenBefore?.uid === null && (await works(chosenBefore, [], postgres, folder))) return chosenBefore;
  const own = chosenBefore && chosenBefore.uid !== null ? chosenBefore : await dedicatedUser(folder);
  const ways: { user: RunAs; passages: string[] }[] = [
    { user: own, passages: [folder] },
    { user: nameSpace, passages: [] },
    // Containers often forbid namespaces. Letting others pass through the data folder reveals nothing: they cannot list
    // it, and its contents are not readable to them.
    { user: own, passages: [folder, dirname(folder)] },
  ];
  for (const { user, passages } of ways) if (await works(user, passages, postgres, folder)) return user;
  throw new Error(
    'PostgreSQL does not run as root, and neither setpriv nor unshare works here: start Reelay as a normal user, set DATA_DIR to a folder that other users can reach, or set DATABASE_URL.',
  );
}

/**
 * Changes the owner of a database folder to the user. The owner differs if an earlier version ran as `nobody`, the
 * folder was moved, or the restrictions of this machine changed. After a crash the folder itself still has its previous
 * owner, so the next start continues.
 * @param parent closed during the change, so that processes of the previous owner cannot interfere
 */
export async function takeOver(parent: string, data: string, user: RunAs): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const owner = await stat(data).catch(() => null);
  if (!owner || owner.uid === (user.uid ?? 0)) return;
  await chmod(parent, 0o700);
  // Only files of the previous owner, who could have linked other users' files into the folder. Recursive GNU chown
  // follows no symbolic links, and changes a folder after its contents.
  await run('chown', ['-R', '-h', `--from=${owner.uid}`, user.owner, data]);
}

/**
 * The user that runs `initdb`, which refuses a user id without a name. `nobody` has a name everywhere. A separate group
 * isolates it from other processes of `nobody`, for files and for the kernel's ptrace checks. Without root, `nobody` is
 * available only in a user namespace.
 * @throws Error with a sentence if no user with a name can run it
 */
export async function initdbUser(user: RunAs): Promise<RunAs> {
  if (user.uid !== null) return (await isTaken('passwd', user.uid)) ? user : otherUser(NOBODY, user.uid);
  if (user === nameSpace || hasName()) return user;
  const [program = '', ...args] = nameSpace.command(['true'], false);
  const works = await run(program, args, { timeout: 10_000, env: CLEAN_ENVIRONMENT }).then(
    () => true,
    () => false,
  );
  if (works) return nameSpace;
  const id = process.getuid?.();
  throw new Error(
    `The user id ${id} has no name on this machine, which PostgreSQL requires. Add one, as root: echo "reelay:x:${id}:${process.getgid?.()}::/:/bin/sh" >> /etc/passwd. Or set DATABASE_URL.`,
  );
}

/** Whether our own user id has an entry in the system's user database. */
function hasName(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

/** The user for new databases in this folder; its id is derived from the path. */
async function dedicatedUser(folder: string): Promise<RunAs> {
  const [, , uid, gid] = (await entry('passwd', USER_NAME))?.split(':').map(Number) ?? [];
  if (uid && gid) return otherUser(uid, gid);
  const start = createHash('sha256').update(folder).digest().readUInt32BE();
  const running = await usersOfProcesses();
  for (let tries = 0; tries < FREE_IDS.count; tries++) {
    const id = FREE_IDS.first + ((start + tries) % FREE_IDS.count);
    if (!running.has(id) && !(await isTaken('passwd', id)) && !(await isTaken('group', id))) return otherUser(id, id);
  }
  throw new Error(`No user id is free for PostgreSQL. Create a system user "${USER_NAME}".`);
}

async function isTaken(database: 'passwd' | 'group', id: number): Promise<boolean> {
  return (await entry(database, `${id}`)) !== null;
}

/** An entry of the system's user or group database from any source; null if it does not exist. */
async function entry(database: 'passwd' | 'group', key: string): Promise<string | null> {
  const found = await run('getent', [database, key], { timeout: 10_000, env: CLEAN_ENVIRONMENT }).catch(() => null);
  return found?.stdout.split('\n')[0] || null;
}

async function usersOfProcesses(): Promise<Set<number>> {
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const owners = await Promise.all(names.map((name) => stat(`/proc/${name}`).catch(() => null)));
  return new Set(owners.flatMap((owner) => (owner ? [owner.uid] : [])));
}

const ourselves: RunAs = Object.freeze({
  command: (program: string[], dieWithUs: boolean) => [...dying(dieWithUs), ...program],
  own: async () => {},
  admit: async () => {},
  uid: null,
  owner: '',
});

const nameSpace: RunAs = Object.freeze({
  command: (program: string[], dieWithUs: boolean) => [
    ...['unshare', '-U', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`],
    ...dying(dieWithUs),
    ...program,
  ],
  own: async () => {},
  admit: async () => {},
  uid: null,
  owner: '0:0',
});

function otherUser(uid: number, gid: number): RunAs {
  return {
    command: (program, dieWithUs) => [
      ...['setpriv', '--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups'],
      ...(dieWithUs ? DEATH : []),
      ...program,
    ],
    own: (path) => chown(path, uid, gid),
    async admit(path) {
      await chown(path, 0, gid);
      await chmod(path, 0o710);
    },
    uid,
    owner: `${uid}:${gid}`,
  };
}

/**
 * PostgreSQL's immediate shutdown. The fast one (SIGINT) can hang during crash recovery, and no process is left to
 * notice.
 */
const DEATH = ['--pdeathsig', 'QUIT'] as const;

function dying(wanted: boolean): string[] {
  const has = process.platform === 'linux' && ['/usr/bin/setpriv', '/bin/setpriv'].some((path) => existsSync(path));
  return wanted && has ? ['setpriv', ...DEATH] : [];
}

/**
 * Probes whether the user can run PostgreSQL and write below our folder.
 * @param passages folders that others must be able to pass through; their mode is restored unless it helps
 */
async function works(user: RunAs, passages: readonly string[], postgres: string, folder: string): Promise<boolean> {
  const modes = await Promise.all(passages.map(async (path) => ({ path, mode: (await stat(path)).mode & 0o7777 })));
  const probe = await mkdtemp(join(folder, 'probe-'));
  try {
    await user.own(probe);
    for (const { path, mode } of modes) await chmod(path, mode | 0o011);
    const script = 'test -w "$1" && "$2" --version';
    const [program = '', ...args] = user.command(['sh', '-c', script, 'probe', probe, postgres], false);
    await run(program, args, { timeout: 10_000, env: CLEAN_ENVIRONMENT });
    return true;
  } catch {
    for (const { path, mode } of modes) await chmod(path, mode);
    return false;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

/** PostgreSQL reads many environment variables, so it gets none of ours. */
export const CLEAN_ENVIRONMENT: Readonly<Record<string, string>> = Object.freeze({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
});
