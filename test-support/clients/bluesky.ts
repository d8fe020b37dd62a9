/** Bluesky: @atproto/api with an app password, and @atproto/oauth-client-node. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { Agent, AtpAgent, RichText, XRPCError } from '@atproto/api';
import {
  NodeOAuthClient,
  type NodeSavedSession,
  type NodeSavedState,
  OAuthCallbackError,
} from '@atproto/oauth-client-node';
import { consentAt } from './browser.ts';
import type { ClientSuite, ClientWorld } from './contract.ts';

const VIDEO_SERVICE = 'https://video.bsky.app';
const LIMITS = 'app.bsky.video.getUploadLimits';
const UPLOAD_BLOB = 'com.atproto.repo.uploadBlob';
const POST = 'app.bsky.feed.post';

/** Sends requests for the directory and the video service to the simulator's paths for them. */
function fetchWith({ simulator: { url } }: ClientWorld): typeof fetch {
  const paths = new Map([
    ['https://plc.directory', '/plc'],
    [VIDEO_SERVICE, '/video'],
  ]);
  return async (input, init) => {
    const { origin, pathname, search } = new URL(input instanceof Request ? input.url : input);
    const path = paths.get(origin);
    if (path === undefined) return fetch(input, init);
    const moved = url + path + pathname + search;
    if (!(input instanceof Request)) return fetch(moved, init);
    // A stream would be sent without a Content-Length, which the video service requires.
    const { method, headers } = input;
    return fetch(moved, { method, headers, ...(method === 'GET' ? {} : { body: await input.arrayBuffer() }) });
  };
}

async function driveApi(world: ClientWorld): Promise<void> {
  const { call, simulator, video } = world;
  const { credentials, remoteId: did } = await simulator.simulator.enrol('nora');
  assert.ok(credentials);
  const { identifier, secret: password } = credentials;
  const fetchTo = fetchWith(world);
  const agent = new AtpAgent({ service: simulator.url, fetch: fetchTo });
  await fails(call, '401 AuthenticationRequired', () => agent.login({ identifier, password: 'wrong' }), 401, {
    error: 'AuthenticationRequired',
  });
  const login = await call('login', () => agent.login({ identifier, password }));
  assert.deepEqual([login.data.did, login.data.handle, login.data.active], [did, 'nora.test', true]);
  const server = await call('com.atproto.server.describeServer', () => agent.com.atproto.server.describeServer());
  assert.ok(server.data.did.startsWith('did:web:'));
  const session = await call('com.atproto.server.getSession', () => agent.com.atproto.server.getSession());
  assert.equal(session.data.emailConfirmed, true);
  const resolved = await call('resolveHandle', () => agent.resolveHandle({ handle: 'nora.test' }));
  assert.equal(resolved.data.did, did);
  const before = agent.session?.refreshJwt;
  await call('com.atproto.server.refreshSession', () => agent.sessionManager.refreshSession());
  assert.notEqual(agent.session?.refreshJwt, before);

  const bytes = new Uint8Array(await readFile(video));
  const uploaded = await call('uploadBlob', () => agent.uploadBlob(bytes, { encoding: 'video/mp4' }));
  assert.deepEqual([uploaded.data.blob.mimeType, uploaded.data.blob.size], ['video/mp4', bytes.length]);
  const text = new RichText({ text: 'Sunset run #sea by @nora.test https://example.org/' });
  await call('RichText.detectFacets', () => text.detectFacets(agent));
  assert.equal(text.facets?.length, 3);
  const posted = await call('post', () =>
    agent.post({
      text: text.text,
      facets: text.facets,
      langs: ['en'],
      embed: {
        $type: 'app.bsky.embed.video',
        video: uploaded.data.blob,
        alt: 'A runner at dusk',
        aspectRatio: { width: 720, height: 1280 },
      },
    }),
  );
  const rkey = posted.uri.split('/').at(-1) ?? '';
  const [entry] = await simulator.published();
  assert.deepEqual([entry?.bytes, entry?.text], [bytes.length, text.text]);

  const blob = await videoOf(world, agent, bytes);
  const second = { repo: did, collection: POST, rkey: '3l6oveex3ii2l' };
  const record = {
    $type: POST,
    text: 'By the video service',
    createdAt: new Date().toISOString(),
    embed: { $type: 'app.bsky.embed.video', video: blob },
  };
  const put = await call('com.atproto.repo.putRecord', () =>
    agent.com.atproto.repo.putRecord({ ...second, record, validate: true }),
  );
  assert.equal(put.data.validationStatus, 'valid');
  const read = await call('com.atproto.repo.getRecord', () => agent.com.atproto.repo.getRecord(second));
  assert.equal(read.data.cid, put.data.cid);
  const list = await call('com.atproto.repo.listRecords', () =>
    agent.com.atproto.repo.listRecords({ repo: did, collection: POST, limit: 1 }),
  );
  assert.equal(list.data.records.length, 1);
  const { cursor } = list.data;
  assert.ok(cursor);
  const older = await call('com.atproto.repo.listRecords (cursor)', () =>
    agent.com.atproto.repo.listRecords({ repo: did, collection: POST, limit: 10, cursor }),
  );
  assert.deepEqual(
    new Set([...list.data.records, ...older.data.records].map(({ uri }) => uri)),
    new Set([put.data.uri, posted.uri]),
  );
  const latest = await call('com.atproto.sync.getLatestCommit', () => agent.com.atproto.sync.getLatestCommit({ did }));
  assert.equal(latest.data.rev, put.data.commit?.rev);
  const status = await call('com.atproto.sync.getRepoStatus', () => agent.com.atproto.sync.getRepoStatus({ did }));
  assert.equal(status.data.active, true);
  const cid = uploaded.data.blob.ref.toString();
  const file = await call('com.atproto.sync.getBlob', () => agent.com.atproto.sync.getBlob({ did, cid }));
  assert.deepEqual(new Uint8Array(file.data), bytes);
  await call('deletePost', () => agent.deletePost(posted.uri));
  await call('com.atproto.repo.deleteRecord', () => agent.com.atproto.repo.deleteRecord(second));
  assert.deepEqual(await simulator.published(), []);

  const gone = { repo: did, collection: POST, rkey };
  await fails(call, '400 RecordNotFound', () => agent.com.atproto.repo.getRecord(gone), 400, {
    error: 'RecordNotFound',
  });
  await fails(call, '400 InvalidRequest', () => agent.post({ text: 'x'.repeat(301) }), 400, {
    error: 'InvalidRequest',
  });
  const large = new Uint8Array(50 * 1024 * 1024 + 1);
  await fails(call, '413 PayloadTooLarge', () => agent.uploadBlob(large, { encoding: 'video/mp4' }), 413, {
    error: 'PayloadTooLarge',
  });
  const many = async () => {
    const other = new AtpAgent({ service: simulator.url, fetch: fetchTo });
    for (let count = 0; count < 31; count++) await other.login({ identifier, password });
  };
  await fails(call, '429 RateLimitExceeded with ratelimit-reset', many, 429, { header: 'ratelimit-reset' });
  await call('logout', () => agent.logout());
  assert.equal(agent.hasSession, false);
  await fails(call, '401 AuthMissing', () => agent.com.atproto.server.getSession(), 401, { error: 'AuthMissing' });
}

/** Uploads a video with the video service, in every way. @returns its blob */
async function videoOf(world: ClientWorld, agent: AtpAgent, bytes: Uint8Array) {
  const { call } = world;
  const { did: aud } = (await agent.com.atproto.server.describeServer()).data;
  const tokenFor = async (lxm: string, audience: string) => {
    const { data } = await call(`com.atproto.server.getServiceAuth (${lxm})`, () =>
      agent.com.atproto.server.getServiceAuth({ aud: audience, lxm, exp: Math.floor(Date.now() / 1000) + 1800 }),
    );
    return { headers: { authorization: `Bearer ${data.token}` } };
  };
  const limited = await tokenFor(LIMITS, 'did:web:video.bsky.app');
  const service = new AtpAgent({ service: VIDEO_SERVICE, fetch: fetchWith(world) }).app.bsky.video;
  const limits = await call('app.bsky.video.getUploadLimits', () => service.getUploadLimits({}, limited));
  assert.deepEqual([limits.data.canUpload, limits.data.remainingDailyVideos], [true, 25]);

  const own = await tokenFor(UPLOAD_BLOB, aud);
  // Larger than one part.
  const padded = new Uint8Array(6_000_000);
  padded.set(bytes);
  const facts = { mimeType: 'video/mp4', name: 'a.mp4', durationMs: 6000, width: 720, height: 1280 };
  const start = () => service.startUpload({ ...facts, sizeBytes: padded.length }, own);
  const { jobId, partCount, partSizeBytes } = (await call('app.bsky.video.startUpload', start)).data;
  assert.equal(partCount, 2);
  for (let partNumber = 1; partNumber <= partCount; partNumber++) {
    const part = padded.subarray((partNumber - 1) * partSizeBytes, partNumber * partSizeBytes);
    await call('app.bsky.video.uploadPart', () =>
      service.uploadPart(part, { ...own, qp: { jobId, partNumber }, encoding: 'application/octet-stream' }),
    );
  }
  const status = await call('app.bsky.video.getUploadStatus', () => service.getUploadStatus({ jobId }, own));
  assert.deepEqual([status.data.state, status.data.receivedParts], ['created', [1, 2]]);
  const finished = await call('app.bsky.video.finishUpload', () => service.finishUpload({ jobId }, own));
  const job = await call('app.bsky.video.getJobStatus', () =>
    service.getJobStatus({ jobId: finished.data.completedJobId }),
  );
  assert.equal(job.data.jobStatus.state, 'JOB_STATE_COMPLETED');
  const { blob } = job.data.jobStatus;
  assert.equal(blob?.size, padded.length);

  const other = (await start()).data.jobId;
  const aborted = await call('app.bsky.video.abortUpload', () => service.abortUpload({ jobId: other }, own));
  assert.equal(aborted.data.state, 'aborted');
  await fails(
    call,
    '400 UploadAborted',
    () =>
      service.uploadPart(padded.subarray(0, partSizeBytes), {
        ...own,
        qp: { jobId: other, partNumber: 1 },
        encoding: 'application/octet-stream',
      }),
    400,
    { error: 'UploadAborted' },
  );
  await world.differs(
    'app.bsky.video.uploadVideo',
    'the service requires `did` and `name` (docs.bsky.app, "Video uploads"), which the lexicon of the library lacks',
    () => service.uploadVideo(bytes, { ...own, encoding: 'video/mp4' }),
  );
  return blob;
}

/** Counts a call that the server refuses. */
async function fails(
  call: ClientWorld['call'],
  name: string,
  run: () => Promise<unknown>,
  status: number,
  { error, header }: { error?: string; header?: string },
): Promise<void> {
  await call(name, () =>
    assert.rejects(run(), (thrown) => {
      assert.ok(thrown instanceof XRPCError, String(thrown));
      assert.deepEqual([thrown.status, error ?? thrown.error], [status, thrown.error]);
      if (header) assert.ok(Number(thrown.headers?.[header]) > Date.now() / 1000);
      return true;
    }),
  );
}

async function driveOAuth(world: ClientWorld): Promise<void> {
  const { call, simulator } = world;
  const redirectUri = 'http://127.0.0.1:9/callback';
  const scope = 'atproto transition:generic';
  const states = new Map<string, NodeSavedState>();
  const sessions = new Map<string, NodeSavedSession>();
  const client = new NodeOAuthClient({
    clientMetadata: {
      client_id: `http://localhost?${new URLSearchParams({ redirect_uri: redirectUri, scope })}`,
      redirect_uris: [redirectUri],
      scope,
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
      dpop_bound_access_tokens: true,
    },
    allowHttp: true,
    handleResolver: simulator.url,
    fetch: fetchWith(world),
    requestLock: (_key, run) => run(),
    stateStore: {
      set: (key, value) => void states.set(key, value),
      get: (key) => states.get(key),
      del: (key) => void states.delete(key),
    },
    sessionStore: {
      set: (key, value) => void sessions.set(key, value),
      get: (key) => sessions.get(key),
      del: (key) => void sessions.delete(key),
    },
  });
  const { remoteId: did } = await simulator.simulator.enrol('nora');
  const consent = async (decision: string) => {
    const url = await client.authorize('nora.test', { state: 'the state', scope });
    return (await consentAt(url, redirectUri, { username: 'nora.test', decision })).searchParams;
  };
  const url = await call('authorize (handle, PAR)', () => client.authorize('nora.test', { state: 'the state', scope }));
  const back = (await consentAt(url, redirectUri, { username: 'nora.test' })).searchParams;
  const { session, state } = await call('callback', () => client.callback(back));
  assert.deepEqual([session.did, state], [did, 'the state']);
  const agent = new Agent(session);
  const uploaded = await call('uploadBlob (DPoP)', async () =>
    agent.uploadBlob(new Uint8Array(await readFile(world.video)), { encoding: 'video/mp4' }),
  );
  const embed = { $type: 'app.bsky.embed.video' as const, video: uploaded.data.blob };
  await call('post (DPoP)', () => agent.post({ text: 'With a proof', embed }));
  assert.equal((await simulator.published()).length, 1);
  const token = await call('restore (refresh)', async () => (await client.restore(did, true)).getTokenInfo(false));
  assert.deepEqual([token.sub, token.expired], [did, false]);
  const byDid = await call('authorize (DID)', () => client.authorize(did, { scope }));
  assert.equal(byDid.searchParams.get('client_id'), client.clientMetadata.client_id);
  const denied = await consent('deny');
  await call('OAuthCallbackError access_denied', () =>
    assert.rejects(
      client.callback(denied),
      (error) => error instanceof OAuthCallbackError && error.params.get('error') === 'access_denied',
    ),
  );
  await call('signOut', async () => (await client.restore(did)).signOut());
  assert.equal(sessions.size, 0);
}

export const suite: ClientSuite = {
  hosts: [],
  clients: [
    { name: '@atproto/api', options: { limits: true }, drive: driveApi },
    { name: '@atproto/oauth-client-node', drive: driveOAuth },
  ],
};
