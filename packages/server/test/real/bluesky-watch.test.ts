import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connector } from '../../src/connectors/bluesky/index.ts';
import type { ConnectContext, Session } from '../../src/connectors/contract.ts';
import { DAY, MINUTE } from '../../src/lib/time.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp, type ManagedHttp } from '../../src/outbound/http-client.ts';
import { failureOf } from '../connectors/walk.ts';
import { makeVideo } from '../media/fixtures.ts';
import { type OtherClient, otherClient, pdsInstalled, type RealPds, startPds } from './pds.ts';

const installed = pdsInstalled();
const name = installed
  ? 'watching on a real server (PDS)'
  : 'watching on a real server: SKIPPED, because test-support/pds is not installed (node_modules/.bin/node test-support/pds/install.mjs)';
const POST = 'app.bsky.feed.post';

describe.skipIf(!installed)(name, () => {
  let pds: RealPds;
  let http: ManagedHttp;
  let session: Session;
  let app: OtherClient;
  let film: Buffer;

  beforeAll(async () => {
    pds = await startPds();
    const hosts = [pds.service, pds.plc].map((address) => new URL(address).host);
    http = createHttp({ guard: createAddressGuard(hosts, []) });
    const { entryway = '', ...endpoints } = { ...connector.endpoints, entryway: pds.service };
    const context: ConnectContext = {
      http: http.request,
      endpoints: { ...endpoints, entryway, resolver: pds.service, plc: pds.plc, video: '' },
      settings: {},
      app: null,
      apps: {},
      publicUrl: 'http://localhost:3000',
      registrations: { get: async () => null, put: async () => {} },
      clientKey: () => Promise.reject(new Error('Not needed.')),
      now: Date.now,
    };
    const login = { identifier: pds.handle, secret: pds.appPassword, service: pds.service };
    const tokens = await connector.credentials.open(context, login);
    const facts = await connector.identify(context, tokens);
    app = await otherClient(pds);
    session = {
      ...context,
      service: facts.service ?? '',
      remoteId: facts.remoteId,
      username: facts.username,
      extra: facts.extra ?? {},
      choices: {},
      secret: tokens.secret,
      sandbox: false,
      spend: async () => {},
      countReads: async () => {},
    };
    film = await readFile(await makeVideo({ width: 360, height: 640, fps: 25 }));
  });
  afterAll(async () => {
    http?.close();
    expect(await pds?.stop()).toBe(0);
  });

  const repo = () => ({ repo: pds.did, collection: POST });
  const list = (cursor = '') => connector.watch.list(session, { cursor, since: Date.now() - 2 * DAY, mark: null });
  const fileOf = async (remoteId: string) => connector.watch.file?.(session, { remoteId, file: {} });

  test('finds a foreign video and fetches its bytes', async () => {
    const { blob: video } = await app.ask('com.atproto.repo.uploadBlob', film);
    const embed = { $type: 'app.bsky.embed.video', video, aspectRatio: { width: 9, height: 16 } };
    const createdAt = new Date().toISOString();
    const uri = await app.post({ text: 'From the phone', createdAt, embed });
    await app.post({ text: 'Only words', createdAt });
    const query = new URLSearchParams({ ...repo(), rkey: uri.split('/').at(-1) ?? '' });
    const record = await fetch(`${pds.service}/xrpc/com.atproto.repo.getRecord?${query}`);
    const { cid } = (await record.json()) as { cid: string };
    await app.post({ text: 'A reply', createdAt, embed, reply: { root: { uri, cid }, parent: { uri, cid } } });
    const { posts } = await list();
    expect(posts).toMatchObject([{ remoteId: uri, text: 'From the phone', isPublic: true }]);
    expect(Math.abs((posts[0]?.publishedAt ?? 0) - Date.parse(createdAt))).toBeLessThan(MINUTE);
    const found = await fileOf(uri);
    if (found?.found !== 'file') throw new Error('There is no file.');
    const response = await fetch(found.url, { redirect: 'error' });
    const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
    expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(sha256(film));

    await app.ask('com.atproto.repo.deleteRecord', { ...repo(), rkey: uri.split('/').at(-1) });
    expect((await list()).posts).toEqual([]);
    expect(await fileOf(uri)).toEqual({ found: 'gone' });
  });

  test('reads page after page in the order of the keys', async () => {
    const { blob: video } = await app.ask('com.atproto.repo.uploadBlob', film);
    const embed = { $type: 'app.bsky.embed.video', video };
    const createdAt = new Date().toISOString();
    const writes = Array.from({ length: 105 }, (_, count) => ({
      $type: 'com.atproto.repo.applyWrites#create',
      collection: POST,
      value: { $type: POST, text: `${count}`, createdAt, embed },
    }));
    const { results } = await app.ask('com.atproto.repo.applyWrites', { repo: pds.did, writes });
    const uris = (results as { uri: string }[]).map(({ uri }) => uri).reverse();
    const first = await list();
    const second = await list(first.next);
    expect([...first.posts, ...second.posts].map(({ remoteId }) => remoteId)).toEqual(uris);
    expect([second.next === '', (await list(second.next)).posts]).toEqual([false, []]);
  });

  test('a deactivated account has no list and no files', async () => {
    await app.ask('com.atproto.server.deactivateAccount', {});
    expect(await failureOf(list())).toMatchObject({ kind: 'rejected', status: 400 });
    expect(await fileOf(`at://${pds.did}/${POST}/3kabcdefghi2k`)).toEqual({ found: 'gone' });
  });
});
