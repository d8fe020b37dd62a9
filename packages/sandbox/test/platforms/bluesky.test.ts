import { createHash } from 'node:crypto';
import http from 'node:http';
import type { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { at } from '../../src/json.ts';
import { encodeDagCbor } from '../../src/platforms/bluesky/dag-cbor.ts';
import { cidOfBytes } from '../../src/platforms/bluesky/ids.ts';
import { readJwt } from '../../src/platforms/bluesky/jwt.ts';
import { memoryBlobs } from '../../src/store/memory.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import { error, POST, startBluesky, UPLOAD_BLOB, VIDEO } from './bluesky-raw.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) => startBluesky(overrides));

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CREATE = 'com.atproto.server.createSession';
const REFRESH = 'com.atproto.server.refreshSession';
const SESSION = 'com.atproto.server.getSession';
const SERVICE_AUTH = 'com.atproto.server.getServiceAuth';
const NO_BLOB = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy';

describe('simulated Bluesky identity', () => {
  test.each([
    ['nora', 'nora.test'],
    ['@Nora.Test', 'nora.test'],
    ['nora clips', 'nora-clips.test'],
    ['.', 'nobody.test'],
  ])('has a domain name for the user name %s', async (username, handle) => {
    const { simulator } = await start();
    expect(await simulator.enrol(username)).toMatchObject({ username: handle, credentials: { identifier: handle } });
  });

  test('resolves handle to DID, document, and server', async () => {
    const { get, call, did, url } = await start();
    expect((await get('com.atproto.identity.resolveHandle', { handle: 'Nora.test' })).json).toEqual({ did });
    const document = (await call('GET', `/plc/${did}`)).json;
    expect(document).toMatchObject({ id: did, alsoKnownAs: ['at://nora.test'] });
    expect(at(document, 'service', 0)).toMatchObject({ id: '#atproto_pds', serviceEndpoint: url });
    expect(at(document, 'verificationMethod', 0, 'publicKeyMultibase')).toMatch(/^zQ3s/);
  });

  test('rejects unknown handles, DIDs, methods, and missing parameters', async () => {
    const { get, post, call } = await start();
    expect(error(await get('com.atproto.identity.resolveHandle', { handle: 'nobody.test' }))).toEqual([
      400,
      'HandleNotFound',
    ]);
    expect((await get('com.atproto.identity.resolveHandle')).json.message).toContain('Missing required key "handle"');
    expect((await call('GET', '/plc/did:plc:aaaaaaaaaaaaaaaaaaaaaaaa')).status).toBe(404);
    expect(error(await get('com.example.unknown'))).toEqual([400, 'InvalidRequest']);
    expect((await post(SESSION)).json.message).toBe('Incorrect HTTP method (POST) expected GET');
    expect((await call('GET', '/nowhere')).status).toBe(404);
  });

  test('returns the same account for the same name', async () => {
    const { simulator, account } = await start();
    expect(await simulator.enrol('@Nora.TEST')).toEqual(account);
  });

  test("reports the server's DID and blob limit", async () => {
    const { get } = await start();
    const { json } = await get('com.atproto.server.describeServer');
    expect(json).toMatchObject({ did: 'did:web:localhost', blobUploadLimit: 52_428_800 });
  });
});

describe('simulated Bluesky app password session', () => {
  test('returns two tokens and the account by handle or DID', async () => {
    const { post, account, did, get } = await start();
    const password = account.credentials?.secret;
    for (const identifier of ['nora.test', did]) {
      const { status, json } = await post(CREATE, { json: { identifier, password } });
      expect(status).toBe(200);
      expect(json).toMatchObject({ did, handle: 'nora.test', active: true, emailConfirmed: true });
      expect(readJwt(String(json.accessJwt))).toMatchObject({
        header: { typ: 'at+jwt' },
        claims: { scope: 'com.atproto.appPass', sub: did },
      });
      expect((await get(SESSION, {}, { token: String(json.accessJwt) })).json).toMatchObject({
        did,
        handle: 'nora.test',
      });
    }
  });

  test('rejects a wrong or missing password and another body type', async () => {
    const { post } = await start();
    const wrong = await post(CREATE, { json: { identifier: 'nora.test', password: 'x' } });
    expect([...error(wrong), wrong.json.message]).toEqual([
      401,
      'AuthenticationRequired',
      'Invalid identifier or password',
    ]);
    expect((await post(CREATE, { json: { identifier: 'nora.test' } })).json.message).toBe(
      'Missing required key "password" at $',
    );
    expect((await post(CREATE)).json.message).toContain('Content-Type');
    expect((await post(CREATE, { bytes: VIDEO, type: 'text/plain' })).json.message).toContain('text/plain');
    expect(error(await post(CREATE, { bytes: Buffer.from('{'), type: 'application/json' }))).toEqual([
      400,
      'SyntaxError',
    ]);
  });

  test('rejects missing, malformed, and refresh tokens as access token', async () => {
    const { get, refresh, token, post } = await start();
    expect(error(await get(SESSION))).toEqual([401, 'AuthMissing']);
    expect(error(await get(SESSION, {}, { token: 'garbage' }))).toEqual([400, 'InvalidToken']);
    expect(error(await get(SESSION, {}, { token: `${token}x` }))).toEqual([400, 'InvalidToken']);
    expect(error(await get(SESSION, {}, { token: refresh }))).toEqual([400, 'InvalidToken']);
    expect(error(await post(REFRESH, { token }))).toEqual([400, 'InvalidToken']);
    expect(error(await get(SESSION, {}, { headers: { authorization: 'Basic abc' } }))).toEqual([400, 'InvalidToken']);
  });

  test('expires an access token after two hours', async () => {
    const { get, token, clock } = await start();
    clock.now += 2 * HOUR - 1000;
    expect((await get(SESSION, {}, { token })).status).toBe(200);
    clock.now += 1000;
    const response = await get(SESSION, {}, { token });
    expect([...error(response), response.json.message]).toEqual([400, 'ExpiredToken', 'Token has expired']);
  });

  test('rotates refresh tokens with two hours of grace', async () => {
    const { post, refresh, clock } = await start();
    const jti = (response: { json: Record<string, unknown> }) => readJwt(String(response.json.refreshJwt))?.claims.jti;
    const first = await post(REFRESH, { token: refresh });
    clock.now += 2 * HOUR - 1000;
    const again = await post(REFRESH, { token: refresh });
    expect(jti(again)).toBe(jti(first));
    expect(jti(first)).not.toBe(readJwt(refresh)?.claims.jti);
    clock.now += 1000;
    const late = await post(REFRESH, { token: refresh });
    expect([...error(late), late.json.message]).toEqual([400, 'ExpiredToken', 'Token has been revoked']);
    expect((await post(REFRESH, { token: String(first.json.refreshJwt) })).status).toBe(200);
  });

  test('rejects a refresh with a body', async () => {
    const { post, refresh } = await start();
    expect((await post(REFRESH, { token: refresh, json: {} })).json.message).toContain('none was expected');
  });

  test('ends without invalidating its access token', async () => {
    const { post, get, refresh, token } = await start();
    expect((await post('com.atproto.server.deleteSession', { token: refresh })).status).toBe(200);
    expect(error(await post(REFRESH, { token: refresh }))).toEqual([400, 'ExpiredToken']);
    expect((await get(SESSION, {}, { token })).status).toBe(200);
    expect(error(await post('com.atproto.server.deleteSession', { token }))).toEqual([400, 'InvalidToken']);
  });

  test('rejects a taken-down or deactivated account', async () => {
    const { store, did, get, token, put, recordOf, upload } = await start();
    const record = recordOf(await upload());
    const set = (status: string) =>
      store.change<object>('account', did, (account) => account && { ...account, status });
    await set('takendown');
    expect(error(await get(SESSION, {}, { token }))).toEqual([401, 'AccountTakedown']);
    await set('deactivated');
    expect(error(await put(record))).toEqual([401, 'AccountDeactivated']);
    expect((await get('com.atproto.sync.getRepoStatus', { did })).json).toEqual({
      did,
      active: false,
      status: 'deactivated',
    });
    expect(error(await get('com.atproto.sync.getLatestCommit', { did }))).toEqual([400, 'RepoDeactivated']);
  });
});

describe('simulated Bluesky service token', () => {
  test('names issuer, audience, method, and expiry, and is signed', async () => {
    const { serviceToken, did, clock } = await start();
    const jwt = readJwt(await serviceToken());
    expect(jwt?.header).toEqual({ typ: 'JWT', alg: 'ES256K' });
    const seconds = Math.floor(clock.now / 1000);
    expect(jwt?.claims).toMatchObject({ iss: did, aud: 'did:web:localhost', lxm: UPLOAD_BLOB, exp: seconds + 1800 });
  });

  test('rejects an expiry in the past or too late', async () => {
    const { get, token, clock } = await start();
    const ask = (query: Record<string, string>) => get(SERVICE_AUTH, { aud: 'did:web:localhost', ...query }, { token });
    const exp = (seconds: number) => String(Math.floor(clock.now / 1000) + seconds);
    expect(error(await ask({ lxm: UPLOAD_BLOB, exp: exp(3601) }))).toEqual([400, 'BadExpiration']);
    expect(error(await ask({ lxm: UPLOAD_BLOB, exp: exp(-5) }))).toEqual([400, 'BadExpiration']);
    expect(error(await ask({ exp: exp(61) }))).toEqual([400, 'BadExpiration']);
    expect((await ask({ exp: exp(60) })).status).toBe(200);
    expect(error(await ask({ aud: 'video' }))).toEqual([400, 'InvalidRequest']);
  });

  test('allows only uploadBlob of its own audience', async () => {
    const { serviceToken, post, clock, did } = await start();
    const upload = async (token: string) => error(await post(UPLOAD_BLOB, { token, bytes: VIDEO, type: 'video/mp4' }));
    const good = await serviceToken();
    expect(await upload(good)).toEqual([200, undefined]);
    expect(await upload(good)).toEqual([200, undefined]);
    expect(await upload(await serviceToken(UPLOAD_BLOB, 'did:web:elsewhere.example'))).toEqual([401, 'BadJwtAudience']);
    expect(await upload(await serviceToken('app.bsky.video.getUploadLimits'))).toEqual([401, 'BadJwtLexiconMethod']);
    const [head, body, signature] = good.split('.');
    expect(await upload(`${head}.${body}.${signature?.replace(/^.../, 'AAA')}`)).toEqual([401, 'BadJwtSignature']);
    const create = { repo: did, collection: POST, record: {} };
    expect(error(await post('com.atproto.repo.createRecord', { token: good, json: create }))).toEqual([
      400,
      'InvalidToken',
    ]);
    clock.now += 31 * MINUTE;
    expect(await upload(good)).toEqual([401, 'JwtExpired']);
  });
});

describe('simulated Bluesky profile', () => {
  const PROFILE = 'app.bsky.actor.profile';

  async function withProfile() {
    const bluesky = await start();
    const { did, get, post, token, call } = bluesky;
    const self = { repo: did, collection: PROFILE, rkey: 'self' };
    const read = async () => (await get('com.atproto.repo.getRecord', self)).json;
    const avatar = at((await read()).value, 'avatar');
    const query = { did, cid: String(at(avatar, 'ref', '$link')) };
    const picture = async () => {
      const { status, headers } = await call('GET', '/xrpc/com.atproto.sync.getBlob', { query });
      return [status, headers.get('content-type'), Number(headers.get('content-length'))];
    };
    const write = (record: object, more: object = {}) =>
      post('com.atproto.repo.putRecord', { token, json: { ...self, record, ...more } });
    return { ...bluesky, self, read, avatar, picture, write };
  }

  test('has a picture before a client writes one', async () => {
    const { did, get, avatar, picture, read } = await withProfile();
    expect(avatar).toMatchObject({ $type: 'blob', mimeType: 'image/png' });
    expect(await picture()).toEqual([200, 'image/png', at(avatar, 'size')]);
    const { json } = await get('com.atproto.repo.listRecords', { repo: did, collection: PROFILE });
    expect(json.records).toEqual([await read()]);
  });

  test('keeps its picture when a client changes the name', async () => {
    const { avatar, picture, read, write } = await withProfile();
    const { cid } = await read();
    expect((await write({ displayName: 'Nora' }, { swapRecord: null })).json.error).toBe('InvalidSwap');
    expect((await write({ displayName: 'Nora', avatar }, { swapRecord: cid })).status).toBe(200);
    expect((await read()).value).toEqual({ $type: PROFILE, displayName: 'Nora', avatar });
    expect(await picture()).toEqual([200, 'image/png', at(avatar, 'size')]);
  });

  test('has its picture again once a client deletes it', async () => {
    const { self, read, write, post, token } = await withProfile();
    const before = await read();
    await write({ displayName: 'Nora' });
    expect(at((await read()).value, 'avatar')).toBeUndefined();
    await post('com.atproto.repo.deleteRecord', { token, json: self });
    expect(await read()).toEqual(before);
  });
});

describe('simulated Bluesky blob', () => {
  test('has a content CID and is unreadable before a record', async () => {
    const { upload, get, did, put, recordOf, call } = await start();
    const blob = await upload();
    expect(blob).toMatchObject({ $type: 'blob', mimeType: 'video/mp4', size: VIDEO.length });
    expect(await upload()).toEqual(blob);
    const query = { did, cid: String(at(blob, 'ref', '$link')) };
    const before = await get('com.atproto.sync.getBlob', query);
    expect([...error(before), before.json.message]).toEqual([400, 'InvalidRequest', 'Blob not found']);
    expect((await put(recordOf(blob))).status).toBe(200);
    const after = await call('GET', '/xrpc/com.atproto.sync.getBlob', { query });
    expect([after.status, after.text, after.headers.get('content-type')]).toEqual([200, VIDEO.toString(), 'video/mp4']);
  });

  test('has the same CID as on a real server', async () => {
    const { upload } = await start();
    const blob = await upload(Buffer.from('hello video'));
    expect(at(blob, 'ref', '$link')).toBe('bafkreifmrk6fq76urm53rvemlnhg2jsq2iyso3mxyhjfavft5cuilgax4e');
  });

  test('is rejected over the limit, without type, or without login', async () => {
    const { post, token } = await start();
    const large = new Uint8Array(50 * 1024 * 1024 + 1);
    const response = await post(UPLOAD_BLOB, { token, bytes: large, type: 'video/mp4' });
    expect([...error(response), response.json.message]).toEqual([413, 'PayloadTooLarge', 'request entity too large']);
    expect((await post(UPLOAD_BLOB, { token, bytes: VIDEO })).json.message).toContain('Content-Type');
    expect(error(await post(UPLOAD_BLOB, { bytes: VIDEO, type: 'video/mp4' }))).toEqual([401, 'AuthMissing']);
  });

  test('cannot be read for unknown repositories and malformed CIDs', async () => {
    const { get, did } = await start();
    expect(error(await get('com.atproto.sync.getBlob', { did: 'did:plc:abc', cid: NO_BLOB }))).toEqual([
      400,
      'RepoNotFound',
    ]);
    expect((await get('com.atproto.sync.getBlob', { did, cid: 'x' })).json.message).toContain('Invalid CID string');
  });

  test('survives a client that leaves before storing begins', async () => {
    const begun = Promise.withResolvers<void>();
    const kept = memoryBlobs();
    const blobs = {
      ...kept,
      async put(key: string, source: Readable) {
        begun.resolve();
        // Not `events.once`, which would listen for errors.
        await new Promise((resolve) => source.once('close', resolve));
        return kept.put(key, source);
      },
    };
    const { url, login } = await start({ blobs });
    const { access } = await login();
    const headers = { authorization: `Bearer ${access}`, 'content-type': 'video/mp4', 'content-length': 100 };
    const upload = http.request(`${url}/xrpc/${UPLOAD_BLOB}`, { method: 'POST', headers, agent: false });
    upload.on('error', () => {});
    upload.write('a');
    await begun.promise;
    upload.destroy();
    // An error event without a listener would end the process.
    expect((await login()).access).not.toBe('undefined');
  });
});

describe('simulated Bluesky record', () => {
  test('gets URI, CID, and commit, and is published', async () => {
    const { put, recordOf, upload, newKey, did, published, url, clock, call } = await start();
    const rkey = newKey();
    const { status, json } = await put(recordOf(await upload()), { rkey, validate: true, swapRecord: null });
    const uri = `at://${did}/${POST}/${rkey}`;
    expect(status).toBe(200);
    expect(json).toMatchObject({ uri, validationStatus: 'valid', commit: { rev: expect.stringMatching(/^3/) } });
    const sha256 = createHash('sha256').update(VIDEO).digest('hex');
    expect(await published()).toMatchObject([
      {
        id: uri,
        username: 'nora.test',
        text: 'Sunset run',
        bytes: VIDEO.length,
        sha256,
        mime: 'video/mp4',
        publishedAt: clock.now,
      },
    ]);
    expect((await published())[0]?.url).toBe(`${url}/profile/${did}/post/${rkey}`);
    expect((await call('GET', `/profile/${did}/post/${rkey}`)).text).toContain('Sunset run');
  });

  test('has the CID of its DAG-CBOR regardless of key order', () => {
    const blob = { $type: 'blob', ref: { $link: NO_BLOB }, mimeType: 'video/mp4', size: 70_000 };
    const one = encodeDagCbor({ text: 'é', langs: ['en'], n: -25, blob, none: null, yes: true });
    const other = encodeDagCbor({ yes: true, none: null, blob, n: -25, langs: ['en'], text: 'é' });
    expect(cidOfBytes(one)).toBe(cidOfBytes(other));
    expect(encodeDagCbor({ a: 1 }).toString('hex')).toBe('a1616101');
    expect(encodeDagCbor({ $link: NO_BLOB }).toString('hex')).toMatch(/^d82a5825000155/);
    expect(() => encodeDagCbor(1.5)).toThrow(RangeError);
  });

  test('changes nothing when written again with swapRecord null', async () => {
    const { put, recordOf, upload, newKey, published } = await start();
    const record = recordOf(await upload());
    const rkey = newKey();
    const first = await put(record, { rkey, swapRecord: null });
    const again = await put(record, { rkey, swapRecord: null });
    expect(again.status).toBe(200);
    expect(again.json).toEqual({ uri: first.json.uri, cid: first.json.cid, validationStatus: 'valid' });
    expect(await published()).toHaveLength(1);
  });

  test('is protected by swapRecord null and replaced without', async () => {
    const { put, recordOf, upload, newKey, read, published } = await start();
    const blob = await upload();
    const rkey = newKey();
    const first = await put(recordOf(blob), { rkey, swapRecord: null });
    const edited = recordOf(blob, { text: 'edited' });
    const refused = await put(edited, { rkey, swapRecord: null });
    expect([...error(refused), refused.json.message]).toEqual([400, 'InvalidSwap', `Record was at ${first.json.cid}`]);
    expect(error(await put(edited, { rkey, swapRecord: NO_BLOB }))).toEqual([400, 'InvalidSwap']);
    expect((await put(edited, { rkey })).status).toBe(200);
    expect(at((await read(rkey)).json, 'value', 'text')).toBe('edited');
    expect((await published()).map(({ text }) => text)).toEqual(['edited']);
  });

  test('cannot be swapped when it does not exist', async () => {
    const { put, recordOf, upload } = await start();
    expect(error(await put(recordOf(await upload()), { swapRecord: NO_BLOB }))).toEqual([400, 'InvalidSwap']);
    expect(error(await put(recordOf(await upload()), { swapCommit: NO_BLOB }))).toEqual([400, 'InvalidSwap']);
  });

  test('gets a key from createRecord; a used one fails', async () => {
    const { post, token, did, recordOf, upload, newKey } = await start();
    const create = (more: object) =>
      post('com.atproto.repo.createRecord', { token, json: { repo: did, collection: POST, ...more } });
    const record = recordOf(await upload());
    expect((await create({ record })).json.uri).toMatch(/\/3[a-z2-7]{12}$/);
    const rkey = newKey();
    expect((await create({ record, rkey })).status).toBe(200);
    expect(error(await create({ record, rkey }))).toEqual([500, 'InternalServerError']);
  });

  test('is publicly readable, with a specific error when missing', async () => {
    const { put, recordOf, upload, newKey, get, read } = await start();
    const rkey = newKey();
    const record = recordOf(await upload());
    const { json } = await put(record, { rkey });
    expect((await read(rkey)).json).toEqual({ uri: json.uri, cid: json.cid, value: record });
    const missing = await read(newKey());
    expect(error(missing)).toEqual([400, 'RecordNotFound']);
    const other = await get('com.atproto.repo.getRecord', { repo: 'did:plc:abc', collection: POST, rkey });
    expect([...error(other), other.json.message]).toEqual([400, 'InvalidRequest', 'Could not locate record']);
  });

  test('is deleted with its blob, repeatedly without error', async () => {
    const { put, recordOf, upload, newKey, post, token, did, read, published } = await start();
    const rkey = newKey();
    const record = recordOf(await upload());
    await put(record, { rkey });
    const remove = () => post('com.atproto.repo.deleteRecord', { token, json: { repo: did, collection: POST, rkey } });
    expect((await remove()).json.commit).toBeDefined();
    expect((await remove()).json).toEqual({});
    expect(error(await read(rkey))).toEqual([400, 'RecordNotFound']);
    expect(await published()).toEqual([]);
    expect(error(await put(record, { rkey }))).toEqual([400, 'BlobNotFound']);
  });

  test('is listed by key, newest first, with a cursor', async () => {
    const { put, recordOf, upload, newKey, get, did, clock } = await start();
    const blob = await upload();
    const keys: string[] = [];
    for (let i = 0; i < 5; i++) {
      clock.now += 1000;
      const rkey = newKey();
      keys.push(rkey);
      await put(recordOf(blob, { text: `post ${i}` }), { rkey });
    }
    const page = async (query: Record<string, string>) => {
      const { json } = await get('com.atproto.repo.listRecords', { repo: did, collection: POST, limit: '2', ...query });
      const uris = (json.records as { uri: string }[]).map(({ uri }) => uri.slice(-13));
      return { uris, cursor: String(json.cursor ?? '') };
    };
    const first = await page({});
    expect(first).toEqual({ uris: [keys[4], keys[3]], cursor: keys[3] });
    const last = await page({ cursor: keys[1] ?? '' });
    expect(last).toEqual({ uris: [keys[0]], cursor: keys[0] });
    expect(await page({ cursor: last.cursor })).toEqual({ uris: [], cursor: '' });
    expect((await page({ reverse: 'true' })).uris).toEqual([keys[0], keys[1]]);
    const refused = await get('com.atproto.repo.listRecords', { repo: did, collection: POST, limit: '101' });
    expect(refused.json.message).toContain('maximum 100');
  });

  test('changes the revision on every write, not on reads', async () => {
    const { put, recordOf, upload, get, did } = await start();
    const latest = async () => (await get('com.atproto.sync.getLatestCommit', { did })).json;
    const before = await latest();
    expect(await latest()).toEqual(before);
    const { json } = await put(recordOf(await upload()));
    expect(await latest()).toEqual(json.commit);
    expect(String(at(json, 'commit', 'rev')) > String(before.rev)).toBe(true);
  });

  test('cannot be written by another account', async () => {
    const pds = await start();
    const other = await pds.simulator.enrol('mallory.test');
    const { access } = await pds.login(other.credentials?.secret, 'mallory.test');
    const record = pds.recordOf(await pds.upload());
    expect(error(await pds.put(record, {}, { token: access }))).toEqual([401, 'AuthenticationRequired']);
    expect(error(await pds.put(record, { repo: 'did:plc:abc' }))).toEqual([403, 'AccountNotFound']);
    expect(error(await pds.put(record, {}, {}))).toEqual([401, 'AuthMissing']);
  });

  const family = '👩‍👩‍👧‍👦';
  test.each([
    ['301 graphemes', { text: 'a'.repeat(301) }, 'grapheme too big (maximum 300, got 301) at $.record.text'],
    ['3001 bytes', { text: family.repeat(121) }, 'string too big (maximum 3000, got 3025) at $.record.text'],
    ['no time', { createdAt: undefined }, 'Missing required key "createdAt" at $.record'],
    ['no text', { text: undefined }, 'Missing required key "text" at $.record'],
    ['a number as text', { text: 5 }, 'Expected string value type (got 5) at $.record.text'],
    ['a time that is none', { createdAt: 'yesterday' }, 'Invalid datetime (got "yesterday") at $.record.createdAt'],
    ['four languages', { langs: ['a', 'b', 'c', 'd'] }, 'array too big (maximum 3, got 4) at $.record.langs'],
    [
      'a language that is none',
      { langs: ['not a lang!'] },
      'Invalid language (got "not a lang!") at $.record.langs[0]',
    ],
    ['nine tags', { tags: Array(9).fill('x') }, 'array too big (maximum 8, got 9) at $.record.tags'],
    [
      'a mention of no DID',
      {
        facets: [
          { index: { byteStart: 0, byteEnd: 1 }, features: [{ $type: 'app.bsky.richtext.facet#mention', did: 'x' }] },
        ],
      },
      'Invalid DID (got "x") at $.record.facets[0].features[0].did',
    ],
  ])('is rejected like in a PDS with %s', async (_name, change, message) => {
    const { put, recordOf, upload } = await start();
    const response = await put(recordOf(await upload(), change));
    expect([...error(response), response.json.message]).toEqual([
      400,
      'InvalidRequest',
      `Invalid ${POST} record: ${message}`,
    ]);
  });

  test('may have 300 graphemes within 3000 bytes', async () => {
    const { put, recordOf, upload } = await start();
    expect((await put(recordOf(await upload(), { text: 'é'.repeat(300) }))).status).toBe(200);
    expect((await put(recordOf(await upload(), { text: '' }))).status).toBe(200);
  });

  test('is rejected with a wrong, large, or unknown video', async () => {
    const { put, recordOf, upload } = await start();
    const blob = await upload();
    const response = (change: object) => put(recordOf({ ...blob, ...change }));
    expect((await response({ mimeType: 'video/quicktime' })).json.message).toContain(
      'Expected "video/mp4" (got "video/quicktime") at $.record.embed.video.mimeType',
    );
    expect((await response({ size: 300_000_001 })).json.message).toContain(
      'blob too big (maximum 300000000, got 300000001)',
    );
    expect(error(await response({ ref: { $link: NO_BLOB } }))).toEqual([400, 'BlobNotFound']);
    expect(error(await response({ size: 3 }))).toEqual([400, 'InvalidSize']);
    const mov = await upload(Buffer.from('another film'), 'video/quicktime');
    expect(error(await put(recordOf({ ...mov, mimeType: 'video/mp4' })))).toEqual([400, 'InvalidMimeType']);
  });

  test('is rejected with a non-TID key, wrong type, or fraction', async () => {
    const { put, recordOf, upload } = await start();
    const record = recordOf(await upload());
    expect((await put(record, { rkey: 'hello' })).json.message).toContain('Invalid TID string (got "hello")');
    expect((await put({ ...record, $type: 'app.bsky.feed.like' })).json.message).toContain('Invalid $type');
    expect((await put({ ...record, ratio: 1.5 })).json.message).toContain('(got 1.5)');
    expect((await put('text')).json.message).toContain('Expected object');
  });

  test('may have facets outside the text', async () => {
    const { put, recordOf, upload } = await start();
    const feature = { $type: 'app.bsky.richtext.facet#tag', tag: 'x' };
    const facets = [{ index: { byteStart: 0, byteEnd: 5000 }, features: [feature] }];
    expect((await put(recordOf(await upload(), { facets }))).status).toBe(200);
  });
});

describe('simulated Bluesky rate limits', () => {
  test('count logins per account and report a wait', async () => {
    const { post, clock } = await start({ limits: true });
    const attempt = () => post(CREATE, { json: { identifier: 'nora.test', password: 'x' } });
    let last = await attempt();
    for (let i = 0; i < 28; i++) last = await attempt();
    expect(last.status).toBe(401);
    expect(last.headers.get('ratelimit-policy')).toBe('30;w=300');
    expect(last.headers.get('ratelimit-remaining')).toBe('0');
    const refused = await attempt();
    expect(error(refused)).toEqual([429, 'RateLimitExceeded']);
    expect(refused.headers.get('retry-after')).toBe('300');
    expect(refused.headers.get('ratelimit-reset')).toBe(String(clock.now / 1000 + 300));
    clock.now += 300_000;
    expect((await attempt()).status).toBe(401);
  });

  test('count nothing when off', async () => {
    const { get } = await start();
    expect((await get('com.atproto.server.describeServer')).headers.get('ratelimit-limit')).toBeNull();
  });
});

describe('simulated Bluesky fault by tag', () => {
  test('reconnect revokes every token of the account', async () => {
    const { put, recordOf, upload, post, refresh, published, login, get } = await start();
    const response = await put(recordOf(await upload(), { text: 'x #sandbox-reconnect' }));
    expect(error(response)).toEqual([400, 'ExpiredToken']);
    expect((await post(REFRESH, { token: refresh })).json.message).toBe('Token has been revoked');
    expect(await published()).toEqual([]);
    expect((await get(SESSION, {}, { token: (await login()).access })).status).toBe(200);
  });

  test('reject rejects the video permanently', async () => {
    const { put, recordOf, upload } = await start();
    const response = await put(recordOf(await upload(), { text: '#sandbox-reject' }));
    expect(response.json.message).toContain('$.record.embed.video');
  });

  test('rate-limit fails twice, down three times, then succeeds', async () => {
    const { put, recordOf, upload, published } = await start();
    const statuses = async (text: string, times: number) => {
      const record = recordOf(await upload(), { text });
      const seen: number[] = [];
      for (let i = 0; i < times; i++) seen.push((await put(record)).status);
      return seen;
    };
    expect(await statuses('#sandbox-rate-limit', 3)).toEqual([429, 429, 200]);
    expect(await statuses('#sandbox-down', 4)).toEqual([503, 503, 503, 200]);
    expect(await published()).toHaveLength(2);
  });

  test('lost-answer stores the post and closes the connection', async () => {
    const { put, recordOf, upload, newKey, read, published } = await start();
    const rkey = newKey();
    const record = recordOf(await upload(), { text: '#sandbox-lost-answer' });
    await expect(put(record, { rkey })).rejects.toThrow();
    expect((await read(rkey)).status).toBe(200);
    expect((await put(record, { rkey })).status).toBe(200);
    expect(await published()).toHaveLength(1);
  });

  test('slow delays the response', async () => {
    const { put, recordOf, upload } = await start({ slowMs: 60 });
    const started = performance.now();
    expect((await put(recordOf(await upload(), { text: '#sandbox-slow' }))).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(50);
  });
});

describe('simulated Bluesky store', () => {
  test('keeps sessions, posts, and blobs across a restart', async () => {
    const before = await start();
    const rkey = before.newKey();
    await before.put(before.recordOf(await before.upload()), { rkey });
    const blob = await before.upload(Buffer.from('a second film'));
    await before.close();
    const after = await start({ store: before.store, blobs: before.blobs });
    expect(after.did).toBe(before.did);
    expect((await after.get(SESSION, {}, { token: before.token })).status).toBe(200);
    expect((await after.read(rkey)).status).toBe(200);
    expect((await after.put(after.recordOf(blob))).status).toBe(200);
  });

  test('publishes once on the next read after a crash', async () => {
    const { put, recordOf, upload, newKey, store, did, read, published } = await start();
    const rkey = newKey();
    await put(recordOf(await upload()), { rkey });
    const uri = `at://${did}/${POST}/${rkey}`;
    await store.change<object>('record', uri, (record) => record && { ...record, shown: false });
    await Promise.all([read(rkey), read(rkey)]);
    expect(await published()).toHaveLength(1);
    await store.unpublish(uri);
    expect(await published()).toHaveLength(0);
  });
});

test('every requested fault has the format of a PDS', async () => {
  const { simulator } = await start();
  const codes = (
    ['rate-limited', 'rate-limited-with-wait', 'server-error', 'token-expired', 'token-revoked'] as const
  ).map((kind) => [simulator.refusal(kind).status, at(simulator.refusal(kind).body, 'error')]);
  expect(codes).toEqual([
    [429, 'RateLimitExceeded'],
    [429, 'RateLimitExceeded'],
    [500, 'InternalServerError'],
    [400, 'ExpiredToken'],
    [400, 'ExpiredToken'],
  ]);
});
