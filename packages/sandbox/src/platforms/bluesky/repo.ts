/** Repositories: records by collection and key, written with the semantics of a PDS. */
import type { PublishedEntry, Route, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { injectRequestedFault, isAttempt, responseFault } from '../../faults/requested.ts';
import { isObject } from '../../http/parameters.ts';
import { at, type JsonObject } from '../../json.ts';
import { type Account, activeRepoOf, findAccount, repoOf } from './accounts.ts';
import { authorize, type Caller, tokenError } from './auth.ts';
import { releaseBlob, type StoredBlob, useBlob } from './blobs.ts';
import { encodeDagCbor } from './dag-cbor.ts';
import { cidOfBytes, microsOfTid, tidOf } from './ids.ts';
import { blobsIn, recordFault } from './lexicon.ts';
import { revokeGrants } from './oauth-tokens.ts';
import { defaultProfile, PROFILE } from './profile.ts';
import { revokeSessions } from './sessions.ts';
import type { World } from './world.ts';
import { type Call, input, invalid, ok, parameter, RATE_LIMITED, refuse, xrpc, xrpcError } from './xrpc.ts';

export interface StoredRecord {
  uri: string;
  rkey: string;
  cid: string;
  value: JsonObject;
  rev: string;
  /** False until the record is published. After a crash in between, the next read publishes it. */
  shown: boolean;
  /** Reads do not find the record before this time, ms since the epoch. Absent: at once, as a PDS is consistent. */
  visibleAt?: number;
}

interface Head {
  cid: string;
  rev: string;
}

const WRONG_TYPE =
  'Invalid app.bsky.feed.post record: Expected "video/mp4" (got "video/x-matroska") at $.record.embed.video.mimeType';

export function repoRoutes(world: World): Route[] {
  return [
    ...xrpc('POST', 'com.atproto.repo.putRecord', async (call) => write(world, call, 'put')),
    ...xrpc('POST', 'com.atproto.repo.createRecord', async (call) => write(world, call, 'create')),
    ...xrpc('POST', 'com.atproto.repo.deleteRecord', async (call) => {
      const { account, body } = await writer(world, call, ['rkey']);
      world.limit(call, 'write', account.did, 1);
      const uri = uriOf(account.did, String(body.collection), String(body.rkey));
      const commit = await removeRecord(world, account, uri);
      return ok(commit ? { commit: { ...commit } } : {});
    }),
    ...xrpc('GET', 'com.atproto.repo.getRecord', async ({ request }) => {
      const [repo, collection, rkey] = ['repo', 'collection', 'rkey'].map((name) => parameter(request, name));
      const account = await readable(world, repo ?? '');
      if (!account) invalid('Could not locate record');
      const uri = uriOf(account.did, collection ?? '', rkey ?? '');
      const known = await world.inTurn(uri, () => show(world, account, uri));
      if (known && !isVisible(world, known)) refuse(400, 'RecordNotFound', `Could not locate record: ${uri}`);
      const cid = request.query.get('cid');
      if (!known || (cid !== null && cid !== known.cid))
        refuse(400, 'RecordNotFound', `Could not locate record: ${uri}`);
      return ok({ uri, cid: known.cid, value: known.value });
    }),
    ...xrpc('GET', 'com.atproto.repo.listRecords', ({ request }) => listRecords(world, request)),
    ...xrpc('GET', 'com.atproto.sync.getLatestCommit', async ({ request }) => {
      const account = await activeRepoOf(world, parameter(request, 'did'));
      return ok({ ...(await headOf(world, account.did)) });
    }),
    ...xrpc('GET', 'com.atproto.sync.getRepoStatus', async ({ request }) => {
      const did = parameter(request, 'did');
      const account = await repoOf(world, did);
      if (account.status !== 'active') return ok({ did, active: false, status: account.status });
      return ok({ did, active: true, rev: (await headOf(world, did)).rev });
    }),
  ];
}

/** Returns the account whose repository a call writes, and the body. @throws Refused */
async function writer(world: World, call: Call, required: string[]): Promise<Caller & { body: JsonObject }> {
  const caller = await authorize(world, call);
  const body = await input(call.request, ['repo', 'collection', ...required]);
  if (caller.via === 'oauth' && !caller.scopes.includes('transition:generic'))
    refuse(403, 'ScopeMissingError', `Missing required scope "repo:${String(body.collection)}"`);
  const account = await findAccount(world, String(body.repo));
  if (!account) refuse(403, 'AccountNotFound', 'Account not found');
  if (account.did !== caller.account.did) refuse(401, 'AuthenticationRequired', 'Authentication Required');
  return { ...caller, body };
}

async function write(world: World, call: Call, mode: 'put' | 'create'): Promise<SimulatorResponse> {
  const required = mode === 'put' ? ['rkey', 'record'] : ['record'];
  const caller = await writer(world, call, required);
  const { account, body } = caller;
  world.limit(call, 'write', account.did, mode === 'put' ? 2 : 3);
  const collection = String(body.collection);
  const rkey = typeof body.rkey === 'string' ? body.rkey : world.nextTid();
  const value: JsonObject = { $type: collection, ...asObject(body.record) };
  const fault = body.validate === false ? null : recordFault(collection, rkey, value);
  if (fault !== null) invalid(fault);
  const cid = cidOf(value);
  const uri = uriOf(account.did, collection, rkey);
  return world.inTurn(uri, async () => {
    const known = await show(world, account, uri);
    if (known && mode === 'create') refuse(500, 'InternalServerError', 'Internal Server Error');
    if (known?.cid === cid) return ok({ uri, cid, validationStatus: 'valid' });
    const swap = body.swapRecord;
    if (mode === 'put' && swap !== undefined && swap !== (known?.cid ?? null))
      refuse(400, 'InvalidSwap', `Record was at ${known?.cid ?? 'null'}`);
    const head = await headOf(world, account.did);
    if (typeof body.swapCommit === 'string' && body.swapCommit !== head.cid)
      refuse(400, 'InvalidSwap', `Commit was at ${head.cid}`);
    const trouble = known ? undefined : await injectFault(world, caller, String(value.text ?? ''));
    const commit = await storeRecord(world, account, { collection, rkey, value, cid, known });
    return { ...ok({ uri, cid, commit: { ...commit }, validationStatus: 'valid' }), trouble };
  });
}

/** Writes a valid record and publishes it. @throws Refused if a blob is missing */
async function storeRecord(
  world: World,
  account: Account,
  given: { collection: string; rkey: string; value: JsonObject; cid: string; known?: StoredRecord; visibleAt?: number },
): Promise<Head> {
  const { collection, rkey, value, cid, known, visibleAt } = given;
  const uri = uriOf(account.did, collection, rkey);
  for (const blob of blobsIn(value)) await useBlob(world, account.did, uri, blob);
  const commit = await advance(world, account.did, uri);
  if (known) await world.options.store.unpublish(uri);
  const record = { uri, rkey, cid, value, rev: commit.rev, shown: false, ...(visibleAt ? { visibleAt } : {}) };
  await world.options.store.put<StoredRecord>('record', uri, record, `${account.did} ${collection}`);
  for (const old of blobsIn(known?.value))
    if (!blobsIn(value).some((blob) => blob.cid === old.cid)) await releaseBlob(world, account.did, uri, old.cid);
  await show(world, account, uri);
  const operation = known ? 'update' : 'create';
  world.jetstream.announce({ did: account.did, rev: commit.rev, operation, collection, rkey, record: value, cid });
  return commit;
}

/** Writes a record without a request, as another client of the same account. @throws Error if it is invalid */
export async function putRecord(
  world: World,
  account: Account,
  given: { collection: string; rkey: string; value: JsonObject; visibleAt?: number },
): Promise<string> {
  const fault = recordFault(given.collection, given.rkey, given.value);
  if (fault !== null) throw new Error(fault);
  const uri = uriOf(account.did, given.collection, given.rkey);
  await world.inTurn(uri, async () => {
    const known = await show(world, account, uri);
    await storeRecord(world, account, { ...given, cid: cidOf(given.value), ...(known && { known }) });
  });
  return uri;
}

/** Deletes a record with its unused blobs. @returns the new commit; null if there was no record */
export function removeRecord(world: World, account: Account, uri: string): Promise<Head | null> {
  const { store } = world.options;
  return world.inTurn(uri, async () => {
    const known = await store.get<StoredRecord>('record', uri);
    if (!known) return null;
    await store.remove('record', uri);
    await store.unpublish(uri);
    for (const blob of blobsIn(known.value)) await releaseBlob(world, account.did, uri, blob.cid);
    const commit = await advance(world, account.did, uri);
    const collection = uri.split('/')[3] ?? '';
    world.jetstream.announce({ did: account.did, rev: commit.rev, operation: 'delete', collection, rkey: known.rkey });
    return commit;
  });
}

const isVisible = ({ options }: World, { visibleAt = 0 }: StoredRecord) => visibleAt <= options.now();

/** Reads a record. Publishes it first if that is still pending. */
async function show(world: World, account: Account, uri: string): Promise<StoredRecord | undefined> {
  const { store } = world.options;
  const record = await store.get<StoredRecord>('record', uri);
  if (!record && uri === uriOf(account.did, PROFILE, 'self')) return profileRecord(account);
  if (!record || record.shown) return record;
  const entry = await entryOf(world, account, record);
  if (entry) await store.publish(entry, `${uri} ${record.rev}`);
  await store.put<StoredRecord>('record', uri, { ...record, shown: true });
  return { ...record, shown: true };
}

/** The profile of an account that has no stored one. A stored one replaces it until it is deleted. */
function profileRecord(account: Account): StoredRecord {
  const value = defaultProfile(account);
  const uri = uriOf(account.did, PROFILE, 'self');
  return { uri, rkey: 'self', cid: cidOf(value), value, rev: tidOf(0, 0), shown: true };
}

async function entryOf(world: World, account: Account, record: StoredRecord): Promise<PublishedEntry | null> {
  const cid = at(record.value, 'embed', 'video', 'ref', '$link');
  const blob = await world.options.store.get<StoredBlob>('blob', `${account.did} ${String(cid)}`);
  if (!blob) return null;
  return {
    id: record.uri,
    username: account.handle,
    text: String(record.value.text ?? ''),
    url: `${world.options.baseUrl}/profile/${account.did}/post/${record.rkey}`,
    publishedAt: Math.floor(microsOfTid(record.rev) / 1000),
    bytes: blob.size,
    sha256: blob.sha256,
    blobs: blob.keys,
    mime: blob.mimeType,
  };
}

async function listRecords(world: World, request: SimulatorRequest): Promise<SimulatorResponse> {
  const repo = parameter(request, 'repo');
  const collection = parameter(request, 'collection');
  const limit = Number(request.query.get('limit') ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    invalid(`Invalid com.atproto.repo.listRecords params: integer too big (maximum 100, got ${limit})`);
  const account = await readable(world, repo);
  if (!account) invalid(`Could not find repo: ${repo}`);
  const reverse = request.query.get('reverse') === 'true';
  const cursor = request.query.get('cursor');
  const owner = `${account.did} ${collection}`;
  const all = await world.options.store.list<StoredRecord>('record', { owner, limit: 100_000 });
  const records = all.map(({ value }) => value);
  if (collection === PROFILE && records.every(({ rkey }) => rkey !== 'self')) records.push(profileRecord(account));
  const sorted = records
    .filter((record) => isVisible(world, record))
    .filter(({ rkey }) => cursor === null || (reverse ? rkey > cursor : rkey < cursor))
    .sort((a, b) => (a.rkey < b.rkey === reverse ? -1 : 1));
  const page = sorted.slice(0, limit).map(({ uri, cid, value }) => ({ uri, cid, value }));
  const last = sorted[page.length - 1];
  return ok({ records: page, ...(last ? { cursor: last.rkey } : {}) });
}

/** Returns an account whose repository is readable: neither deactivated nor taken down. */
async function readable(world: World, repo: string): Promise<Account | undefined> {
  const account = await findAccount(world, repo);
  return account?.status === 'active' ? account : undefined;
}

async function headOf(world: World, did: string): Promise<Head> {
  return (await world.options.store.get<Head>('head', did)) ?? advance(world, did, 'genesis');
}

/** Creates the next commit of a repository. */
async function advance(world: World, did: string, what: string): Promise<Head> {
  const head = await world.options.store.change<Head>('head', did, (known) => {
    const rev = world.nextTid();
    return { rev, cid: cidOf({ did, rev, what, prev: known?.cid ?? null }) };
  });
  return head ?? refuse(500, 'InternalServerError', 'Internal Server Error');
}

/** @throws Refused for values that records cannot hold */
function cidOf(value: unknown): string {
  try {
    return cidOfBytes(encodeDagCbor(value));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const kinds = 'null, boolean, integer, string, cid, bytes, array or object';
    return invalid(`Expected one of ${kinds} value type (got ${error.message}) at $.record`);
  }
}

function uriOf(did: string, collection: string, rkey: string): string {
  return `at://${did}/${collection}/${rkey}`;
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? (value as JsonObject) : invalid('Expected object value type at $.record');
}

/** Injects the fault that the text of a new record requests. @throws Refused @returns the fault for the response */
async function injectFault(world: World, { account: { did }, via }: Caller, caption: string) {
  const { store } = world.options;
  const publish = `${did} ${caption}`;
  const fault = await injectRequestedFault(
    store,
    { caption, publish },
    {
      async reconnect() {
        await revokeSessions(world, did);
        await revokeGrants(world, did);
        return via === 'session'
          ? xrpcError(400, 'ExpiredToken', 'Token has expired')
          : tokenError('invalid_token', 'Token has been revoked');
      },
      reject: () => xrpcError(400, 'InvalidRequest', WRONG_TYPE),
      rateLimited: { ...RATE_LIMITED, headers: { 'retry-after': '2' } },
      down: xrpcError(503, 'NotEnoughResources', 'Service is unavailable'),
    },
  );
  const lasting = responseFault(fault);
  return lasting && (await isAttempt(store, publish, 1)) ? lasting : undefined;
}
