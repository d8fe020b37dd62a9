import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runningCluster } from '../../server/src/db/cluster.ts';
import { withFolder } from '../../server/test/harness/folder.ts';
import { makeVideo } from '../../server/test/media/fixtures.ts';
import { LAUNCHER, reelay, reelayUntil } from './run.ts';

test('on the embedded database: before the service runs, while it runs and after it', async () => {
  const video = await makeVideo({ width: 360, height: 640, fps: 24, seed: 82 });
  await withFolder(async (folder) => {
    const env = { DATA_DIR: join(folder, 'data'), PORT: '0', RATE_LIMIT: 'off' };
    const database = join(env.DATA_DIR, 'database');
    const ok = async (args: readonly string[], more: Record<string, string> = {}) => {
      const ran = await reelay(args, { env: { ...env, ...more } });
      expect(ran, ran.stderr).toMatchObject({ status: 0 });
      return ran.stdout.trimEnd();
    };
    const user = 'me@example.org';

    await ok(['users', 'create', '--email', user]);
    const connect = ['sandbox', 'connect', '--user', user, '--platform'];
    const before = await ok([...connect, 'tiktok', '--username', 'early']);
    expect(await runningCluster(database)).toBeNull();

    const service = await reelayUntil(['start'], /Reelay is at (\S+)/, { env });
    const [, url = ''] = service.found;
    try {
      const here = { PUBLIC_URL: url, REELAY_URL: url };
      const [list, key] = await Promise.all([
        ok(['users', 'list'], here),
        ok(['keys', 'create', '--user', user], here),
      ]);
      expect(list).toContain(user);
      const during = await ok([...connect, 'mastodon', '--username', 'late'], here);
      const remote = { ...here, REELAY_API_KEY: key };
      const posted = await ok(['post', video, '--to', `${before},${during}`, '--wait'], remote);
      expect(posted.match(/^SUCCESS/gm)).toHaveLength(2);
      expect(await ok(['doctor'], here)).toContain('All is well.');
    } finally {
      expect(await service.stop()).toBe(0);
    }
    expect(await ok(['accounts', 'list'])).toContain(before);
    expect((await reelay(['doctor'], { env })).stdout).toContain('FAIL  public address');
    expect(await runningCluster(database)).toBeNull();
  });
});

test('commands given at once on an empty folder, with the service, all succeed', async () => {
  await withFolder(async (folder) => {
    const env = { DATA_DIR: folder, PORT: '0' };
    const create = (name: string) => reelay(['users', 'create', '--email', `${name}@example.org`], { env });
    const commands = Promise.all(['a', 'b', 'c'].map(create));
    const service = await reelayUntil(['start'], /Reelay is at/, { env }).finally(() => commands);
    try {
      const made = await commands;
      for (const ran of made) expect(ran, ran.stderr).toMatchObject({ status: 0 });
      expect(made.filter((ran) => ran.stdout.includes('operator'))).toHaveLength(1);
    } finally {
      expect(await service.stop()).toBe(0);
    }
  });
});

test('the launcher works through links and from anywhere, and prints no noise', async () => {
  await withFolder(async (folder) => {
    await mkdir(join(folder, 'bin with space'));
    await symlink(LAUNCHER, join(folder, 'reelay-far'));
    await symlink('../reelay-far', join(folder, 'bin with space', 'reelay'));
    const launcher = join(folder, 'bin with space', 'reelay');
    const ran = await reelay(['--version'], { launcher, cwd: folder });
    expect(ran).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' });
  });
});
