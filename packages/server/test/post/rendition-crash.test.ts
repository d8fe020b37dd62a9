/** Conversions with crashes, shutdowns and a full disk. Telegram accepts only MP4. */
import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectors } from '../../src/connectors/registry.ts';
import { findMisfits } from '../../src/media/rendition/findings.ts';
import type { VideoFacts } from '../../src/media/types.ts';
import { FULL } from '../harness/draw.ts';
import { withFolder } from '../harness/folder.ts';
import { createClient, type TestService, type TestUser } from '../harness/service.ts';
import { makeVideo } from '../media/fixtures.ts';
import { type ProcessOptions, type ServiceProcess, startServiceProcess } from './service-process.ts';
import { insideSmallDisk, overTcp, smallDisks } from './small-disk.ts';
import { eventually, filesOf, sendPost, startPostService, untilSettled } from './world.ts';

const secretKey = randomBytes(32);
/**
 * Serves requests and simulators, and is never killed. Workers that are killed or stopped run in separate processes.
 */
let service: TestService;
let user: TestUser;
let running: { stop(): Promise<unknown> }[] = [];
beforeAll(async () => {
  service = await startPostService({ secretKey, config: { sandbox: true } });
});
beforeEach(async () => {
  user = await service.newUser();
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  running = [];
});
afterAll(() => service.close());

async function start(options: Partial<ProcessOptions> = {}, inside?: readonly string[]): Promise<ServiceProcess> {
  // The data folder of the other process is the one whose `files` are our storage.
  const folder = service.context.config.storageFolder.replace(/\/files$/, '');
  const shared = { folder, databaseUrl: service.db.url, leastFreeBytes: 0, secretKey: secretKey.toString('hex') };
  const sandbox = { role: 'worker', sandbox: true, publicUrl: service.url } as const;
  const started = await startServiceProcess({ ...shared, ...sandbox, ...options }, inside);
  running.push(started);
  return started;
}
/** Another worker, which keeps running. */
async function startAnother(): Promise<void> {
  const { storageFolder } = service.context.config;
  const shared = { databaseUrl: service.db.url, storageFolder, publicUrl: service.url, sandbox: true } as const;
  const { close } = await startPostService({ secretKey, config: { ...shared, role: 'worker' } });
  running.push({ stop: close });
}
/** An account used by this test only, so that lanes left by killed workers affect no other test. */
const connect = async (platform: string, name = 'nora') => {
  const username = `${name}-${user.userId.slice(-8)}`;
  const request = { userId: user.userId, platform, username, privacy: 'public', actor: 'test' };
  return (await service.context.accounts.connectSandbox(request))[0]?.id ?? '';
};
/** Takes a while to convert, and little to create. */
const long = () => makeVideo({ seconds: 5, width: 360, height: 640, fps: 25, extension: 'avi' });
const short = () => makeVideo({ seconds: 4, extension: 'avi' });
const post = async (to: string[], fields: readonly (readonly [string, string])[] = [], path?: string) => {
  const response = await sendPost(user, { to, video: path ?? (await long()), fields });
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return response.body.historyId as string;
};
interface Row {
  id: string;
  state: string;
  storage_key: string;
  detail: string | null;
  fence: number;
  attempts: number;
  facts: VideoFacts | null;
  sha256: string | null;
}
/** Renditions of this user's videos. */
const renditions = () =>
  service.db.query<Row>(
    `select r.id, r.state, r.storage_key, r.detail, r.fence, r.attempts, r.facts, encode(r.sha256, 'hex') as sha256
     from rendition r join media m on m.id = r.media_id where m.user_id = $1 order by r.id`,
    [user.userId],
  );
const targetsOf = async (id: string) => (await user.get(`/post/${id}`)).body.data.targets;
const settled = async (id: string) => {
  await untilSettled(service, id);
  return targetsOf(id);
};
/** Hashes of the posts with this text at the simulator. */
const appeared = async (text: string) => {
  const { body } = await service.client.get('//sandbox/feed.json');
  return body.filter((each: { text: string }) => each.text === text).map(({ sha256 }: { sha256: string }) => sha256);
};
const scratch = () => readdir(service.context.storage.scratch);
/** Waits until ffmpeg writes. */
const converting = (known: readonly string[] = []) =>
  eventually('it is being converted', async () => {
    const part = (await scratch()).find((name) => name.endsWith('.part') && !known.includes(name));
    return part !== undefined && (await stat(join(service.context.storage.scratch, part))).size > 0;
  });

describe('a worker that ends during a conversion', () => {
  test('by kills posts once and leaves one file', async () => {
    const id = await post([await connect('telegram')], [['description', 'Killed twice']]);
    const kills = FULL ? 2 : 1;
    for (let round = 0; round < kills; round++) {
      const known = await scratch();
      const worker = await start();
      await converting(known);
      await worker.kill();
      // Both skip the lease of a dead worker.
      await service.db.clock.advance(31_000);
    }
    await startAnother();
    expect((await settled(id)).map(({ status }: { status: string }) => status)).toEqual(['SUCCESS']);
    const [made, ...more] = await renditions();
    expect(more).toEqual([]);
    expect(made).toMatchObject({ state: 'stored', fence: kills + 1 });
    const limits = connectors.telegram?.capabilities.video;
    if (!limits || !made?.facts) throw new Error('There is no file.');
    expect(findMisfits(limits, made.facts)).toEqual([]);
    expect(await appeared('Killed twice')).toEqual([made.sha256]);
    expect(await scratch()).toEqual([]);
    const stored = (await filesOf(service)).filter((path) => path.includes('/renditions/'));
    expect(stored.map((path) => path.split('/').at(-1))).toContain(made.storage_key.split('/').at(-1));
  });

  test('by SIGTERM leaves no file and the next continues', async () => {
    const id = await post([await connect('telegram')], [['description', 'Stopped once']]);
    const before = await scratch();
    const worker = await start();
    await converting(before);
    const asked = performance.now();
    expect(await worker.stop()).toBe(0);
    // Shorter than the limit of a drain, which would also end a stop that waits for the conversion.
    expect(performance.now() - asked).toBeLessThan(24_000);
    expect(await scratch()).toEqual(before);
    // Released, not left to its lease, and not counted as a failure of the video.
    expect(await renditions()).toMatchObject([{ state: 'making', attempts: 0 }]);
    await startAnother();
    expect(await settled(id)).toMatchObject([{ status: 'SUCCESS' }]);
    expect(await appeared('Stopped once')).toHaveLength(1);
  });
});

test('two workers convert it once', async () => {
  const accounts = [await connect('telegram'), await connect('telegram', 'more')];
  const id = await post(accounts, [['description', 'Two workers']], await short());
  await Promise.all([start(), startAnother()]);
  await settled(id);
  const made = await renditions();
  expect(made).toMatchObject([{ state: 'stored', fence: 1 }]);
  expect(await appeared('Two workers')).toEqual([made[0]?.sha256, made[0]?.sha256]);
});

describe.skipIf(!smallDisks.possible)(`a disk that is full${smallDisks.reason}`, () => {
  test('during a conversion delays the post until space is free', async () => {
    const telegram = await connect('telegram');
    await withFolder(async (folder) => {
      const database = await overTcp(service.db);
      const alone = { folder, databaseUrl: database.url, role: 'all', publicUrl: undefined } as const;
      const small = await start(alone, insideSmallDisk(folder));
      try {
        const there = createClient(small.url, null, { authorization: `Bearer ${user.key}` });
        const bytes = (await stat(await long())).size;
        await small.files(`fill ${bytes + 300_000}`);
        const options = { to: [telegram], video: await long(), fields: [['description', 'Full']] } as const;
        const { body } = await sendPost(there, options);
        const refused = () =>
          service.db.query(
            `select from rendition where state = 'making' and fence > 0 and lease_until is null and due_at > app_now()`,
          );
        await eventually('the conversion was given back', async () => (await refused()).length === 1);
        expect(await targetsOf(body.historyId)).toMatchObject([{ status: 'PENDING' }]);
        // Nothing of the aborted conversion stays on the full disk.
        expect((await small.files()).filter((name) => name.endsWith('.part'))).toEqual([]);
        await small.files('free');
        await service.db.clock.advance(31_000);
        expect(await settled(body.historyId)).toMatchObject([{ status: 'SUCCESS' }]);
      } finally {
        database.close();
      }
    });
  });
});
