/**
 * As whom the embedded PostgreSQL runs. It refuses to run as root, and people try things as root; so there root hands
 * it to another user (`setpriv`, whose folders belong to that user), or, where that user cannot reach the folder, puts
 * it into a user name space in which root's files seem to belong to somebody else (`unshare`). Whose the files are
 * tells which of the two was chosen before.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface RunAs {
  /** The command that runs another one as this user. @param dieWithUs Linux ends it when our process ends */
  command(program: string[], dieWithUs: boolean): string[];
  /** Gives a folder of ours to the user. */
  own(path: string): Promise<void>;
  /** Id of the user whose files PostgreSQL makes; null: our own. */
  uid: number | null;
  /** The same with the group, as `chown` takes it. */
  owner: string;
}

/** The user id that owns nothing, by custom. */
const NOBODY = 65_534;

/**
 * @param folder ours, made already
 * @param data the folder in it that PostgreSQL owns, or will
 * @throws Error with a sentence where root finds no way
 */
export async function chooseUser(folder: string, data: string, postgres: string): Promise<RunAs> {
  if (process.getuid?.() !== 0) return ourselves;
  const nobody = otherUser(NOBODY, NOBODY);
  const owner = await stat(data).catch(() => null);
  const chosenBefore = owner && (owner.uid === 0 ? nameSpace : otherUser(owner.uid, owner.gid));
  const ways: { user: RunAs; passages: string[] }[] = [
    ...(chosenBefore ? [{ user: chosenBefore, passages: chosenBefore.uid === null ? [] : [folder] }] : []),
    { user: nobody, passages: [folder] },
    { user: nameSpace, passages: [] },
    // Containers often forbid name spaces. That others may pass through the data folder shows them nothing: they cannot
    // list it, and what lies in it is closed to them.
    { user: nobody, passages: [folder, dirname(folder)] },
  ];
  for (const { user, passages } of ways) {
    if (!(await works(user, passages, postgres, folder))) continue;
    // The data folder was moved, or the rules of this machine have changed.
    if (owner && owner.uid !== (user.uid ?? 0)) await run('chown', ['-R', user.owner, data]);
    return user;
  }
  throw new Error(
    'PostgreSQL does not run as root, and neither setpriv nor unshare works here: start Reelay as a normal user, set DATA_DIR to a folder that other users can reach, or set DATABASE_URL.',
  );
}

const ourselves: RunAs = Object.freeze({
  command: (program: string[], dieWithUs: boolean) => [...dying(dieWithUs), ...program],
  own: async () => {},
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
    uid,
    owner: `${uid}:${gid}`,
  };
}

/** PostgreSQL's immediate stop: its fast one (SIGINT) can hang during crash recovery, and nobody is left to notice. */
const DEATH = ['--pdeathsig', 'QUIT'] as const;

function dying(wanted: boolean): string[] {
  const has = process.platform === 'linux' && ['/usr/bin/setpriv', '/bin/setpriv'].some((path) => existsSync(path));
  return wanted && has ? ['setpriv', ...DEATH] : [];
}

/**
 * Tries whether the user can run PostgreSQL and write below our folder.
 * @param passages folders that others must be able to pass through; left open only if that helps
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

/** PostgreSQL reads many variables; it gets none of ours. */
export const CLEAN_ENVIRONMENT: Readonly<Record<string, string>> = Object.freeze({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
});
