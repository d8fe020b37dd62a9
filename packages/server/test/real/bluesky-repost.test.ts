import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../harness/service.ts';
import { makeVideo } from '../media/fixtures.ts';
import { eventually } from '../post/world.ts';
import { otherClient, pdsInstalled, type RealPds, startPds } from './pds.ts';

const installed = pdsInstalled();
const name = installed
  ? 'reposting from a real server (PDS)'
  : 'reposting from a real server: SKIPPED, because test-support/pds is not installed (node_modules/.bin/node test-support/pds/install.mjs)';

describe.skipIf(!installed)(name, () => {
  let pds: RealPds;
  let service: TestService;
  beforeAll(async () => {
    pds = await startPds();
    const allowedPrivateHosts = [pds.service, pds.plc].map((each) => new URL(each).host);
    const settings = { bluesky: { plcUrl: pds.plc } };
    service = await startService({ config: { leastFreeBytes: 0, allowedPrivateHosts, settings } });
  });
  afterAll(async () => {
    await service?.close();
    await pds?.stop();
  });

  const feed = async (text: string): Promise<string[]> => {
    const { body } = await service.client.get('//sandbox/feed.json');
    const entries = body as { platform: string; text: string }[];
    return entries.filter((each) => each.text === text).map(({ platform }) => platform);
  };

  test("a chain of rules reposts another client's post once", async () => {
    const user = await service.newUser();
    const { userId } = user;
    const { accounts } = service.context;
    const sandbox = async (platform: string) => {
      const request = { userId, platform, username: `nora-${platform}`, privacy: 'public', actor: 'test' };
      return (await accounts.connectSandbox(request))[0]?.id ?? '';
    };
    const login = { service: pds.service, identifier: pds.handle, secret: pds.appPassword };
    const connected = await accounts.startConnect({ userId, platform: 'bluesky', actor: 'session', ...login });
    const [mastodon, tiktok] = [await sandbox('mastodon'), await sandbox('tiktok')];
    await user.post('/repost/add', { from: connected.accounts[0]?.id, to: [mastodon] });
    await user.post('/repost/add', { from: mastodon, to: [tiktok] });

    const app = await otherClient(pds);
    const film = await readFile(await makeVideo({ width: 360, height: 640, fps: 25 }));
    const { blob: video } = await app.ask('com.atproto.repo.uploadBlob', film);
    const embed = { $type: 'app.bsky.embed.video', video };
    await app.post({ text: 'From a real app', createdAt: new Date().toISOString(), embed });
    await eventually('both platforms have it', async () => {
      await service.db.clock.advance(60_000);
      return (await feed('From a real app')).length >= 2;
    });
    await service.db.clock.advance(20 * 60_000);
    expect((await feed('From a real app')).sort()).toEqual(['mastodon', 'tiktok']);
  });
});
