import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEnvironment } from '../../server/src/config/env.ts';
import { runningCluster } from '../../server/src/db/cluster.ts';
import { withFolder } from '../../server/test/harness/folder.ts';
import { makeVideo } from '../../server/test/media/fixtures.ts';
import manifest from '../package.json' with { type: 'json' };
import { withLocal } from '../src/local/open.ts';
import { LAUNCHER, type Ran, reelay, reelayHere, reelayUntil } from './run.ts';

test('commands share the embedded database with a service', async () => {
  const video = await makeVideo({ seconds: 3, width: 360, height: 640, fps: 24, seed: 82 });
  await withFolder(async (folder) => {
    const env = { DATA_DIR: join(folder, 'data'), PORT: '0', RATE_LIMIT: 'off' };
    const database = join(env.DATA_DIR, 'database');
    const saidBy = (ran: Ran) => {
      expect(ran, ran.stderr).toMatchObject({ status: 0 });
      return ran.stdout.trimEnd();
    };
    const ok = async (args: readonly string[]) => saidBy(await reelay(args, { env }));
    /** In this process, which is another one than the service's too. */
    const okHere = async (args: readonly string[], more: Record<string, string> = {}) =>
      saidBy(await reelayHere(args, { env: { ...env, ...more } }));
    const create = (email: string) => ok(['users', 'create', '--email', email]);
    const user = 'me@example.org';
    const connect = ['sandbox', 'connect', '--user', user, '--platform'];

    // The first process creates the database. Later ones may find it stopped again, or running for the service.
    const early = create(user).then(async (made) => [made, await ok([...connect, 'tiktok', '--username', 'early'])]);
    const commands = Promise.all([early, create('a@example.org')]);
    // Awaited below. It must not be an unhandled rejection until then.
    commands.catch(() => {});
    const service = await reelayUntil(['start'], /Reelay is at (\S+)/, { env }).finally(() => commands);
    const here = { PUBLIC_URL: service.found[1] ?? '', REELAY_URL: service.found[1] ?? '' };
    const late = [...connect, 'mastodon', '--username', 'late'];
    let during: string;
    try {
      const [[mine = '', before], ...others] = await commands;
      expect([mine, ...others].filter((said) => said.includes('operator'))).toHaveLength(1);
      const key = await okHere(['keys', 'create', '--user', user], here);
      during = await okHere(late, here);
      const remote = { ...here, REELAY_API_KEY: key };
      const posted = await okHere(['post', video, '--to', `${before},${during}`, '--wait'], remote);
      expect(posted.match(/^SUCCESS/gm)).toHaveLength(2);
      expect(await okHere(['doctor'], here)).toContain('No problems found.');
    } finally {
      expect(await service.stop()).toBe(0);
    }

    expect(await runningCluster(database)).toBeNull();
    expect(await ok(late)).toBe(during);
    // The missing ffmpeg was asserted above.
    const away = await reelayHere(['doctor'], { env: { ...env, FFMPEG_PATH: '/nonexistent/ffmpeg' } });
    expect(away.stdout).toContain('FAIL  public address');
    expect(await runningCluster(database)).toBeNull();
  });
});

test('a server stops after the last command that shares it', async () => {
  await withFolder(async (folder) => {
    const environment = await readEnvironment({ DATA_DIR: join(folder, 'data') });
    let second: Promise<string> | undefined;
    await withLocal(environment, async (first) => {
      expect(first.database).toBe('started');
      let isOpen = () => {};
      const opened = new Promise<void>((resolve) => {
        isOpen = resolve;
      });
      second = withLocal(environment, async ({ db, database }) => {
        isOpen();
        // Until the first command only waits for this one.
        const waits = "select from pg_stat_activity where wait_event_type = 'Lock'";
        await expect.poll(async () => (await db.query(waits)).length).toBe(1);
        // More sessions than it has open.
        await Promise.all(Array.from({ length: 4 }, () => db.query('select pg_sleep(0.1)')));
        return database;
      });
      await Promise.race([opened, second]);
    });
    expect(await second).toBe('running');
    expect(await runningCluster(join(folder, 'data', 'database'))).toBeNull();
  });
});

test('one command creates the database, the next reads it', async () => {
  await withFolder(async (folder) => {
    const env = { DATA_DIR: join(folder, 'data') };
    const made = await reelay(['users', 'create', '--email', 'first@example.org'], { env });
    expect(made, made.stderr).toMatchObject({ status: 0 });
    expect(await runningCluster(join(env.DATA_DIR, 'database'))).toBeNull();
    expect((await reelayHere(['users', 'list'], { env })).stdout).toContain('first@example.org');
  });
});

test('the launcher works through symlinks without extra output', async () => {
  await withFolder(async (folder) => {
    await mkdir(join(folder, 'bin with space'));
    await symlink(LAUNCHER, join(folder, 'reelay-far'));
    await symlink('../reelay-far', join(folder, 'bin with space', 'reelay'));
    const launcher = join(folder, 'bin with space', 'reelay');
    const ran = await reelay(['--version'], { launcher, cwd: folder });
    expect(ran).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });
});
