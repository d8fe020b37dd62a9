import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { on } from 'node:events';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connector } from '../../src/connectors/bluesky/index.ts';
import type { ConnectContext, JsonObject, Media, Session, Tokens, Work } from '../../src/connectors/contract.ts';
import { at, textAt } from '../../src/connectors/kit/json.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp, type ManagedHttp } from '../../src/outbound/http-client.ts';
import { commit, look, publish, ready } from '../connectors/bluesky-driver.ts';
import { failureOf } from '../connectors/walk.ts';
import { makeVideo } from '../media/fixtures.ts';
import { consentAt, PDS_FOLDER, pdsInstalled, type RealPds, startPds } from './pds.ts';

const installed = pdsInstalled();
const name = installed
  ? 'against a real server (PDS)'
  : 'against a real server: SKIPPED, because test-support/pds is not installed (node_modules/.bin/node test-support/pds/install.mjs)';

describe.skipIf(!installed)(name, () => {
  let pds: RealPds;
  let http: ManagedHttp;
  let context: ConnectContext;
  let media: Media;
  const clock = {
    get now() {
      return Date.now();
    },
    set now(_value: number) {},
  };
  const redirectUri = 'http://localhost:3000/oauth/bluesky/callback';
  const here = () => ({ http, clock });

  beforeAll(async () => {
    pds = await startPds();
    const hosts = [pds.service, pds.plc].map((address) => new URL(address).host);
    http = createHttp({ guard: createAddressGuard(hosts, []) });
    context = {
      http: http.request,
      endpoints: { ...connector.endpoints, entryway: pds.service, resolver: pds.service, plc: pds.plc, video: '' },
      settings: {},
      app: null,
      apps: {},
      publicUrl: 'http://localhost:3000',
      registrations: { get: async () => null, put: async () => {} },
      clientKey: () => Promise.reject(new Error('Not needed.')),
      now: Date.now,
    };
    const path = await makeVideo({ width: 360, height: 640, fps: 25 });
    const bytes = await readFile(path);
    media = {
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      mime: 'video/mp4',
      container: 'mp4',
      durationMs: 4_000,
      width: 360,
      height: 640,
      link: () => 'https://reelay.example/v/none.mp4',
      cover: () => Promise.reject(new Error('Not needed.')),
      stream: async (range) => createReadStream(path, range ? { start: range.first, end: range.last } : {}),
    };
  });
  afterAll(async () => {
    http?.close();
    expect(await pds?.stop()).toBe(0);
  });

  const login = (secret = pds.appPassword): Promise<Tokens> =>
    connector.credentials.open(context, { identifier: pds.handle, secret, service: pds.service });

  const workWith = async (tokens: Tokens, text: string): Promise<Work> => {
    const facts = await connector.identify(context, tokens);
    const session: Session = {
      http: http.request,
      endpoints: context.endpoints,
      service: facts.service ?? '',
      remoteId: facts.remoteId,
      username: facts.username,
      extra: facts.extra ?? {},
      choices: {},
      secret: tokens.secret,
      app: null,
      apps: {},
      settings: {},
      sandbox: false,
      spend: async () => {},
      countReads: async () => {},
      now: Date.now,
    };
    return { session, post: { targetId: 'a-target', sendKey: 1, text, previewTimeMs: 0, options: {} }, media };
  };

  /** Makes a call as the account's owner would in an app. */
  const asOwner = async (method: string, body?: object): Promise<Response> => {
    const call = (nsid: string, given: object | undefined, token?: string) =>
      fetch(`${pds.service}/xrpc/${nsid}`, {
        method: 'POST',
        headers: {
          ...(given ? { 'content-type': 'application/json' } : {}),
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        body: given ? JSON.stringify(given) : null,
      });
    const session = await call('com.atproto.server.createSession', {
      identifier: pds.did,
      password: pds.accountPassword,
    });
    return call(method, body, textAt((await session.json()) as JsonObject, 'accessJwt'));
  };
  const remove = (uri: string) =>
    asOwner('com.atproto.repo.deleteRecord', {
      repo: pds.did,
      collection: 'app.bsky.feed.post',
      rkey: uri.split('/').at(-1),
    });
  const lookAt = async (uri: string) => {
    const query = new URLSearchParams({
      repo: pds.did,
      collection: 'app.bsky.feed.post',
      rkey: uri.split('/').at(-1) ?? '',
    });
    return (await fetch(`${pds.service}/xrpc/com.atproto.repo.getRecord?${query}`)).json() as Promise<JsonObject>;
  };

  test('accepts an app password and rejects a wrong one', async () => {
    const tokens = await login();
    expect(tokens).toMatchObject({
      service: pds.service,
      expiresIn: 7_200,
      refreshExpiresIn: 90 * 86_400,
      secret: { did: pds.did },
    });
    expect(await failureOf(login('wrong-wrong-wrong'))).toMatchObject({
      kind: 'rejected',
      what: 'permission',
      platformCode: 'AuthenticationRequired',
    });
  });

  test("identifies the account and its server's limits", async () => {
    expect(await connector.identify(context, await login())).toMatchObject({
      remoteId: pds.did,
      username: pds.handle,
      service: pds.service,
      extra: {
        serverDid: 'did:web:localhost',
        videoService: false,
        blobUploadLimit: 104_857_600,
        emailConfirmed: false,
      },
      capabilities: { video: { maxBytes: 104_857_600, containers: ['mp4'] } },
    });
  });

  test('posts a video and finds it by its key', async () => {
    const text = `👩‍👩‍👧‍👦 Sunset #sea with @${pds.handle} at https://clip.example/a`;
    const work = await workWith(await login(), text);
    const checkpoint = await ready(here(), work);
    const outcome = await commit(here(), work, checkpoint);
    expect(outcome).toMatchObject({ kind: 'done', result: { then: 'posted' } });
    const uri = textAt(outcome, 'result', 'published', 'remoteId');
    const publishedAt = Number(at(outcome, 'result', 'published', 'publishedAt'));
    expect(Math.abs(publishedAt - Date.now())).toBeLessThan(60_000);
    expect(await look(here(), work, checkpoint)).toMatchObject({ then: 'posted', published: { remoteId: uri } });
    expect(await look(here(), work, null)).toMatchObject({ then: 'posted', published: { remoteId: uri } });
    const record = await lookAt(uri);
    expect(at(record, 'value', 'facets')).toHaveLength(3);
    const cid = textAt(record, 'value', 'embed', 'video', 'ref', '$link');
    const blob = await fetch(
      `${pds.service}/xrpc/com.atproto.sync.getBlob?${new URLSearchParams({ did: pds.did, cid })}`,
    );
    const sha256 = createHash('sha256')
      .update(Buffer.from(await blob.arrayBuffer()))
      .digest('hex');
    expect(sha256).toBe(media.sha256);
  });

  test('a repeated write changes nothing; an edit is detected', async () => {
    const work = await workWith(await login(), 'once only');
    const checkpoint = await ready(here(), work);
    const first = await commit(here(), work, checkpoint);
    const uri = textAt(first, 'result', 'published', 'remoteId');
    const before = await lookAt(uri);
    const again = await commit(here(), work, checkpoint);
    expect(again).toMatchObject({
      kind: 'done',
      result: { then: 'posted', published: { remoteId: uri, publishedAt: null } },
    });
    expect(await lookAt(uri)).toEqual(before);
    const record = { ...(at(checkpoint, 'frozen', 'record') as JsonObject), text: 'edited' };
    const edited = { ...checkpoint, frozen: { ...(at(checkpoint, 'frozen') as JsonObject), record } };
    expect(await commit(here(), work, edited)).toMatchObject({ kind: 'unknown', platformCode: 'InvalidSwap' });
    expect(await look(here(), work, edited)).toMatchObject({ then: 'posted' });
  });

  test('asks for a smaller file after 413', async () => {
    const work = await workWith(await login(), 'too large');
    const bytes = 104_857_601;
    const zeros = Buffer.alloc(1024 * 1024);
    const stream = async () =>
      Readable.from(
        (function* () {
          for (let sent = 0; sent < bytes; sent += zeros.length) yield zeros.subarray(0, bytes - sent);
        })(),
        { objectMode: false },
      );
    // As with a server that does not tell its limit, or with a proxy in front of it.
    const extra = { ...work.session.extra, blobUploadLimit: 200_000_000 };
    const large = { ...work, session: { ...work.session, extra }, media: { ...media, bytes, stream } };
    const begun = await connector.begin(large);
    expect(begun).toMatchObject({ then: 'continue', checkpoint: { by: 'server' } });
    const result = begun.then === 'continue' ? await connector.step(large, begun.checkpoint) : begun;
    const failure = { kind: 'rejected', what: 'video', status: 413, maxBytes: 5_242_880 };
    expect(result).toMatchObject({ then: 'failed', failure: { ...failure, platformCode: 'PayloadTooLarge' } });
  });

  test('does not restore a deleted post whose blob is gone', async () => {
    const bytes = Buffer.from(`other bytes ${pds.did}`);
    const other = await workWith(await login(), 'deleted soon');
    const work = {
      ...other,
      media: {
        ...media,
        bytes: bytes.length,
        sha256: 'f00',
        stream: async () => Readable.from([bytes], { objectMode: false }),
      },
    };
    const checkpoint = await ready(here(), work);
    const outcome = await commit(here(), work, checkpoint);
    expect((await remove(textAt(outcome, 'result', 'published', 'remoteId'))).status).toBe(200);
    expect(await look(here(), work, checkpoint)).toMatchObject({ then: 'notPosted' });
    expect(await commit(here(), work, checkpoint)).toMatchObject({
      kind: 'void',
      failure: { platformCode: 'BlobNotFound' },
    });
  });

  test('an invalid record is a definite rejection', async () => {
    const work = await workWith(await login(), 'fine');
    const checkpoint = await ready(here(), work);
    const send = (change: object) => {
      const record = { ...(at(checkpoint, 'frozen', 'record') as JsonObject), ...change };
      return commit(here(), work, { ...checkpoint, frozen: { ...(at(checkpoint, 'frozen') as JsonObject), record } });
    };
    expect(await send({ text: 'a'.repeat(301) })).toMatchObject({
      kind: 'refused',
      failure: { kind: 'rejected', what: 'caption' },
    });
    const video = { ...(at(checkpoint, 'blob', 'ref') as JsonObject), mimeType: 'video/quicktime' };
    expect(await send({ embed: { $type: 'app.bsky.embed.video', video } })).toMatchObject({
      kind: 'refused',
      failure: { kind: 'rejected', what: 'video' },
    });
    expect(await send({ text: 'e\u0301'.repeat(300) })).toMatchObject({ kind: 'done' });
  });

  test('refreshes a session until the app password is revoked', async () => {
    const made = (await (
      await asOwner('com.atproto.server.createAppPassword', { name: 'short' })
    ).json()) as JsonObject;
    const tokens = await login(textAt(made, 'password'));
    const fresh = (await connector.credentials.refresh?.(context, tokens)) as Tokens;
    expect(fresh.secret.refreshToken).not.toBe(tokens.secret.refreshToken);
    await connector.credentials.refresh?.(context, tokens);
    await publish(here(), await workWith(fresh, 'with a renewed token'));
    expect((await asOwner('com.atproto.server.revokeAppPassword', { name: 'short' })).status).toBe(200);
    const renew = Promise.resolve(connector.credentials.refresh?.(context, fresh));
    expect(await failureOf(renew)).toMatchObject({ kind: 'reconnect', platformCode: 'ExpiredToken' });
    expect(await failureOf(login(textAt(made, 'password')))).toMatchObject({ kind: 'rejected', what: 'permission' });
  });

  test('an ended session is not refreshed', async () => {
    const tokens = await login();
    await connector.credentials.revoke?.(context, tokens);
    const renew = Promise.resolve(connector.credentials.refresh?.(context, tokens));
    expect(await failureOf(renew)).toMatchObject({ kind: 'reconnect' });
  });

  test('OAuth consent: denied, granted, used, refreshed, revoked', async () => {
    const owner = { username: pds.handle, password: pds.accountPassword, did: pds.did };
    const authorize = () =>
      connector.oauth.authorize(context, {
        state: 'the state',
        redirectUri,
        identifier: pds.handle,
        service: pds.service,
      });
    const no = await authorize();
    const refused = await consentAt(no.url, owner, 'reject');
    const exchange = (back: URL, kept: JsonObject) =>
      connector.oauth.exchange(context, { query: back.searchParams, redirectUri, kept });
    expect(await failureOf(exchange(clean(refused), no.kept))).toMatchObject({
      detail: { code: 'access_denied' },
    });

    const yes = await authorize();
    const back = await consentAt(yes.url, owner, 'consent');
    expect(back.searchParams.get('redirect_uri')).toBe('http://127.0.0.1:3000/oauth/bluesky/callback');
    const tokens = await exchange(clean(back), yes.kept);
    expect(tokens).toMatchObject({
      service: pds.service,
      scopes: ['atproto', 'transition:generic'],
      secret: { did: pds.did, kind: 'public' },
    });
    const work = await workWith(tokens, 'by consent');
    const checkpoint = await ready(here(), work);
    expect(await commit(here(), work, checkpoint)).toMatchObject({ kind: 'done' });
    expect(await commit(here(), work, checkpoint)).toMatchObject({ kind: 'done' });

    const fresh = (await connector.oauth.refresh?.(context, tokens)) as Tokens;
    expect((await connector.identify(context, fresh)).username).toBe(pds.handle);
    await connector.oauth.revoke?.(context, fresh);
    const renew = Promise.resolve(connector.oauth.refresh?.(context, fresh));
    expect(await failureOf(renew)).toMatchObject({ kind: 'reconnect', platformCode: 'invalid_grant' });
  });

  test('a deactivated account shows and accepts nothing', async () => {
    const work = await workWith(await login(), 'never');
    const checkpoint = await ready(here(), work);
    expect((await asOwner('com.atproto.server.deactivateAccount', {})).status).toBe(200);
    expect(await look(here(), work, checkpoint)).toMatchObject({ then: 'stillUnknown' });
    expect(await commit(here(), work, checkpoint)).toMatchObject({
      kind: 'void',
      failure: { platformCode: 'AccountDeactivated' },
    });
    expect((await asOwner('com.atproto.server.activateAccount')).status).toBe(200);
    expect(await look(here(), work, checkpoint)).toMatchObject({ then: 'notPosted' });
  });

  test('the server exits with its parent process', async () => {
    const starter = spawn('/bin/sh', ['-c', '"$0" start.mjs & echo $!; wait', process.execPath], {
      cwd: PDS_FOLDER,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = on(createInterface({ input: starter.stdout }), 'line');
    const pid = Number((await lines.next()).value?.[0]);
    const other = JSON.parse(String((await lines.next()).value?.[0])) as { service: string };
    starter.kill('SIGKILL');
    await expect.poll(() => isAlive(pid), { interval: 100 }).toBe(false);
    await expect(fetch(other.service)).rejects.toThrow();
  });
});

/** The callback parameters, without those that only the server's own redirect page reads. */
function clean(url: URL): URL {
  const back = new URL(url);
  back.searchParams.delete('redirect_mode');
  back.searchParams.delete('redirect_uri');
  return back;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
