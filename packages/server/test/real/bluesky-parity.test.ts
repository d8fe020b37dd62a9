/**
 * Compares the simulator with a real server: the same raw calls to both must return the same status, error name and
 * message.
 */
import { simulator } from '@reelay/sandbox/platforms/bluesky/index.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningSimulator, startSimulator } from '../harness/simulator.ts';
import { pdsInstalled, type RealPds, startPds } from './pds.ts';

const installed = pdsInstalled();
const name = installed
  ? 'simulator and real server (PDS)'
  : 'simulator and real server: SKIPPED, because test-support/pds is not installed (node_modules/.bin/node test-support/pds/install.mjs)';

/** One of the two servers, with its account. */
interface Side {
  base: string;
  did: string;
  handle: string;
  access: string;
  refresh: string;
  /** An uploaded, unused blob; a new one for each call. */
  blob(): Promise<Record<string, unknown>>;
  record(change?: object): Promise<Record<string, unknown>>;
}

interface Call {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string>;
  token?: string;
  json?: unknown;
  form?: Record<string, string>;
  text?: string;
  type?: string;
  headers?: Record<string, string>;
}

const MISSING = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy';
const POST = 'app.bsky.feed.post';
const nowSeconds = () => Math.floor(Date.now() / 1000);

const xrpc = (method: 'GET' | 'POST', nsid: string, more: Partial<Call> = {}): Call => ({
  method,
  path: `/xrpc/${nsid}`,
  ...more,
});
const put = async (side: Side, change: object, more: object = {}): Promise<Call> =>
  xrpc('POST', 'com.atproto.repo.putRecord', {
    token: side.access,
    json: { repo: side.did, collection: POST, rkey: '3l6oveex3ii2l', record: await side.record(change), ...more },
  });
const get = (nsid: string, query: Record<string, string> = {}, more: Partial<Call> = {}) =>
  xrpc('GET', nsid, { query, ...more });
const par = (change: Record<string, string | undefined>): Call => {
  const asked: Record<string, string | undefined> = {
    client_id: 'http://localhost?redirect_uri=http%3A%2F%2F127.0.0.1%3A3000%2Fback&scope=atproto',
    redirect_uri: 'http://127.0.0.1:3000/back',
    response_type: 'code',
    scope: 'atproto',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    ...change,
  };
  const form = Object.fromEntries(
    Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return { method: 'POST', path: '/oauth/par', form };
};

const CALLS: Record<string, (side: Side) => Call | Promise<Call>> = {
  'login with a wrong password': (side) =>
    xrpc('POST', 'com.atproto.server.createSession', { json: { identifier: side.handle, password: 'x' } }),
  'login of nobody': () =>
    xrpc('POST', 'com.atproto.server.createSession', { json: { identifier: 'no.test', password: 'x' } }),
  'login without password': (side) =>
    xrpc('POST', 'com.atproto.server.createSession', { json: { identifier: side.handle } }),
  'login without body': () => xrpc('POST', 'com.atproto.server.createSession'),
  'login by GET': () => xrpc('GET', 'com.atproto.server.createSession'),
  'session without token': () => get('com.atproto.server.getSession'),
  'session with garbage': () => get('com.atproto.server.getSession', {}, { token: 'garbage' }),
  'session with the refresh token': (side) => get('com.atproto.server.getSession', {}, { token: side.refresh }),
  'session by POST': () => xrpc('POST', 'com.atproto.server.getSession'),
  'refresh with the access token': (side) => xrpc('POST', 'com.atproto.server.refreshSession', { token: side.access }),
  'refresh with a body': (side) => xrpc('POST', 'com.atproto.server.refreshSession', { token: side.refresh, json: {} }),
  'end of session without token': () => xrpc('POST', 'com.atproto.server.deleteSession'),
  'handle of nobody': () => get('com.atproto.identity.resolveHandle', { handle: 'nobody.test' }),
  'no handle': () => get('com.atproto.identity.resolveHandle'),
  'unknown method': () => get('com.example.unknown'),
  'service token for no DID': (side) => get('com.atproto.server.getServiceAuth', { aud: 'x' }, { token: side.access }),
  'service token for two hours': (side) =>
    get(
      'com.atproto.server.getServiceAuth',
      { aud: 'did:web:localhost', lxm: 'com.atproto.repo.uploadBlob', exp: String(nowSeconds() + 7200) },
      { token: side.access },
    ),
  'service token without method': (side) =>
    get(
      'com.atproto.server.getServiceAuth',
      { aud: 'did:web:localhost', exp: String(nowSeconds() + 300) },
      { token: side.access },
    ),
  'service token of the past': (side) =>
    get('com.atproto.server.getServiceAuth', { aud: 'did:web:localhost', exp: '5' }, { token: side.access }),
  'blob without type': (side) =>
    xrpc('POST', 'com.atproto.repo.uploadBlob', { token: side.access, text: 'x', type: '' }),
  'blob without token': () => xrpc('POST', 'com.atproto.repo.uploadBlob', { text: 'x', type: 'video/mp4' }),
  'blob that nobody refers to': async (side) => {
    const cid = String((await side.blob()).cid);
    return get('com.atproto.sync.getBlob', { did: side.did, cid });
  },
  'blob with a broken CID': (side) => get('com.atproto.sync.getBlob', { did: side.did, cid: 'x' }),
  'blob of an unknown repository': () => get('com.atproto.sync.getBlob', { did: 'did:plc:abc', cid: MISSING }),
  'text of 301 characters': (side) => put(side, { text: 'a'.repeat(301) }),
  'text of 3025 bytes': (side) => put(side, { text: '👩‍👩‍👧‍👦'.repeat(121) }),
  'no time': (side) => put(side, { createdAt: undefined }),
  'no text': (side) => put(side, { text: undefined }),
  'text that is a number': (side) => put(side, { text: 5 }),
  'time that is none': (side) => put(side, { createdAt: 'yesterday' }),
  'four languages': (side) => put(side, { langs: ['en', 'de', 'fr', 'it'] }),
  'language that is none': (side) => put(side, { langs: ['not a lang!'] }),
  'nine tags': (side) => put(side, { tags: Array(9).fill('x') }),
  'video of another type': (side) =>
    put(side, { embed: { $type: 'app.bsky.embed.video', video: blobOf({ mimeType: 'video/quicktime' }) } }),
  'video too large': (side) =>
    put(side, { embed: { $type: 'app.bsky.embed.video', video: blobOf({ size: 300_000_001 }) } }),
  'video that is missing': (side) => put(side, { embed: { $type: 'app.bsky.embed.video' } }),
  'video that was never uploaded': (side) => put(side, { embed: { $type: 'app.bsky.embed.video', video: blobOf({}) } }),
  'video without width': async (side) => {
    const { embed } = await side.record();
    return put(side, { embed: { ...(embed as object), aspectRatio: { width: 0, height: 16 } } });
  },
  'video of another size than stored': async (side) => {
    const { embed } = (await side.record()) as { embed: { video: object } };
    return put(side, { embed: { ...embed, video: { ...embed.video, size: 3 } } });
  },
  'key that is no TID': (side) => put(side, {}, { rkey: 'hello' }),
  'no key': (side) => put(side, {}, { rkey: undefined }),
  'record of another type': (side) => put(side, { $type: 'app.bsky.feed.like' }),
  'repository of nobody': (side) => put(side, {}, { repo: 'did:plc:abc' }),
  'swap of a record that is not there': (side) => put(side, {}, { swapRecord: MISSING, rkey: '3l6oveex3ii2z' }),
  'facets beyond the text': (side) =>
    put(side, {
      facets: [
        { index: { byteStart: 0, byteEnd: 5000 }, features: [{ $type: 'app.bsky.richtext.facet#tag', tag: 'x' }] },
      ],
    }),
  'a post': (side) => put(side, { text: 'first' }, { rkey: '3l6oveex3ii2m', swapRecord: null }),
  'the same post again': (side) => put(side, { text: 'first' }, { rkey: '3l6oveex3ii2m', swapRecord: null }),
  'another post under the key': (side) => put(side, { text: 'other' }, { rkey: '3l6oveex3ii2m', swapRecord: null }),
  'a new post under the used key': async (side) => ({
    ...(await put(side, { text: 'third' }, { rkey: '3l6oveex3ii2m' })),
    path: '/xrpc/com.atproto.repo.createRecord',
  }),
  'a form in place of JSON': (side) =>
    xrpc('POST', 'com.atproto.repo.putRecord', { token: side.access, text: 'x', type: 'text/plain' }),
  'a write without token': async (side) => ({ ...(await put(side, {})), token: '' }),
  'a record that is not there': (side) =>
    get('com.atproto.repo.getRecord', { repo: side.did, collection: POST, rkey: '3l6oveex3ii2n' }),
  'a record of nobody': () =>
    get('com.atproto.repo.getRecord', { repo: 'did:plc:abc', collection: POST, rkey: '3l6oveex3ii2n' }),
  'a list of 101': (side) => get('com.atproto.repo.listRecords', { repo: side.did, collection: POST, limit: '101' }),
  'a list of nobody': () => get('com.atproto.repo.listRecords', { repo: 'did:plc:abc', collection: POST }),
  'the latest commit of nobody': () => get('com.atproto.sync.getLatestCommit', { did: 'did:plc:abc' }),
  'the status of nobody': () => get('com.atproto.sync.getRepoStatus', { did: 'did:plc:abc' }),
  'a deletion': (side) =>
    xrpc('POST', 'com.atproto.repo.deleteRecord', {
      token: side.access,
      json: { repo: side.did, collection: POST, rkey: '3l6oveex3ii2m' },
    }),
  'the deletion again': (side) =>
    xrpc('POST', 'com.atproto.repo.deleteRecord', {
      token: side.access,
      json: { repo: side.did, collection: POST, rkey: '3l6oveex3ii2m' },
    }),
  'a pushed request': () => par({}),
  'one to another place': () => par({ redirect_uri: 'http://127.0.0.1:3000/other' }),
  'one with an undeclared scope': () => par({ scope: 'atproto transition:email' }),
  'one without atproto': () => par({ scope: 'transition:generic' }),
  'one without PKCE': () => par({ code_challenge: undefined, code_challenge_method: undefined }),
  'one with plain PKCE': () => par({ code_challenge_method: 'plain' }),
  'one for a token': () => par({ response_type: 'token' }),
  'one of a client with a port': () => par({ client_id: 'http://localhost:3000' }),
  'one with a broken proof': () => ({ ...par({}), headers: { dpop: 'junk' } }),
  'tokens without proof': () => ({
    method: 'POST',
    path: '/oauth/token',
    form: {
      grant_type: 'authorization_code',
      code: 'cod-x',
      client_id: 'http://localhost',
      redirect_uri: 'http://127.0.0.1/',
      code_verifier: 'v'.repeat(43),
    },
  }),
  'a call with an unknown bound token': () =>
    get('com.atproto.server.getSession', {}, { headers: { authorization: 'DPoP abc' } }),
};

function blobOf(change: object) {
  return { $type: 'blob', ref: { $link: MISSING }, mimeType: 'video/mp4', size: 7, ...change };
}

describe.skipIf(!installed)(name, () => {
  let real: RealPds;
  let simulated: RunningSimulator;
  let sides: [Side, Side];

  beforeAll(async () => {
    [real, simulated] = await Promise.all([startPds(), startSimulator(simulator)]);
    const account = await simulated.simulator.enrol(real.handle);
    sides = [
      await login(real.service, real.handle, real.appPassword),
      await login(simulated.url, real.handle, account.credentials?.secret ?? ''),
    ];
  });
  afterAll(async () => {
    await real?.stop();
    await simulated?.close();
  });

  test.each(Object.entries(CALLS))('same response to: %s', async (_name, make) => {
    const [fromReal, fromSimulated] = await Promise.all(
      sides.map(async (side) => verdict(side, await send(side, await make(side)))),
    );
    expect(fromSimulated).toEqual(fromReal);
  });
});

let uploads = 0;

async function login(base: string, handle: string, password: string): Promise<Side> {
  const json = { identifier: handle, password };
  const session = await send({ base }, xrpc('POST', 'com.atproto.server.createSession', { json }));
  const side: Side = {
    base,
    handle,
    did: String(session.json.did),
    access: String(session.json.accessJwt),
    refresh: String(session.json.refreshJwt),
    async blob() {
      const text = `film ${uploads++} `;
      const uploaded = await send(
        side,
        xrpc('POST', 'com.atproto.repo.uploadBlob', { token: side.access, text, type: 'video/mp4' }),
      );
      const blob = uploaded.json.blob as { ref: { $link: string } };
      return { blob, cid: blob.ref.$link };
    },
    async record(change = {}) {
      kept ??= side.blob();
      const { blob } = await kept;
      const embed = { $type: 'app.bsky.embed.video', video: blob, aspectRatio: { width: 9, height: 16 } };
      return { $type: POST, text: 'hi', createdAt: '2026-11-21T10:00:00.000Z', embed, ...change };
    },
  };
  let kept: Promise<Record<string, unknown>> | undefined;
  return side;
}

async function send({ base }: Pick<Side, 'base'>, call: Call) {
  const headers: Record<string, string> = { ...call.headers };
  if (call.token) headers.authorization = `Bearer ${call.token}`;
  const body =
    call.json !== undefined ? JSON.stringify(call.json) : call.form ? new URLSearchParams(call.form) : call.text;
  if (call.json !== undefined) headers['content-type'] = 'application/json';
  if (call.type) headers['content-type'] = call.type;
  const query = call.query && Object.keys(call.query).length > 0 ? `?${new URLSearchParams(call.query)}` : '';
  // Bytes are sent without a content type of their own.
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? null);
  const response = await fetch(`${base}${call.path}${query}`, {
    method: call.method,
    headers,
    body: bytes,
    redirect: 'manual',
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json')
    ? (JSON.parse(text) as Record<string, unknown>)
    : {};
  return {
    status: response.status,
    json,
    challenge: /error="([^"]+)"/.exec(response.headers.get('www-authenticate') ?? '')?.[1],
  };
}

/** The comparable part of a response: status, error name, message and property names. */
function verdict(side: Side, { status, json, challenge }: Awaited<ReturnType<typeof send>>) {
  const plain = (text: unknown) =>
    typeof text === 'string' ? text.replaceAll(side.did, 'DID').replace(/bafy[a-z2-7]+/g, 'CID') : text;
  const { error, message, error_description } = json;
  const names = Object.keys(json).sort();
  return { status, names, error, message: plain(message), error_description: plain(error_description), challenge };
}
