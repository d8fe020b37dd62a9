/** Blobs of an account: uploaded bytes by the CID of their content. */
import { Readable, Transform } from 'node:stream';
import type { Route, SimulatorResponse } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { activeRepoOf, blobLimit, findAccount } from './accounts.ts';
import { authorize } from './auth.ts';
import { cidBytes, cidOfDigest, randomText } from './ids.ts';
import { type DrawnPicture, pictureOf } from './profile.ts';
import type { World } from './world.ts';
import { invalid, ok, parameter, refuse, xrpc } from './xrpc.ts';

export interface StoredBlob {
  cid: string;
  size: number;
  mimeType: string;
  sha256: string;
  /** Keys of the bytes, in order. */
  keys: string[];
  /** Records that reference the blob. Without one, the blob cannot be read. */
  records: string[];
}

export function blobRoutes(world: World): Route[] {
  return [
    ...xrpc('POST', 'com.atproto.repo.uploadBlob', async (call) => {
      const { request } = call;
      const { account } = await authorize(world, call, 'com.atproto.repo.uploadBlob');
      world.limit(call, 'blob', account.did);
      const mimeType = request.headers['content-type'];
      if (!mimeType) invalid('Request encoding (Content-Type) required but not provided');
      const tooLarge = () => refuse(413, 'PayloadTooLarge', 'request entity too large');
      const limit = await blobLimit(world);
      if (Number(request.headers['content-length'] ?? 0) > limit) tooLarge();
      const key = randomText('blob-', 16);
      const received = await receive(world, key, request.body, limit);
      if (!received) return tooLarge();
      const stored = await storeBlob(world, account.did, { ...received, mimeType, keys: [key] });
      return ok({ blob: refOf(stored) });
    }),
    ...xrpc('GET', 'com.atproto.sync.getBlob', async (call) => {
      const did = parameter(call.request, 'did');
      const cid = parameter(call.request, 'cid');
      if (!cidBytes(cid)) invalid(`Invalid com.atproto.sync.getBlob params: Invalid CID string (got "${cid}")`);
      await activeRepoOf(world, did);
      const blob = await world.options.store.get<StoredBlob>('blob', `${did} ${cid}`);
      if (blob && blob.records.length > 0) return file(blob, chunks(world, blob.keys));
      const picture = await drawnPicture(world, did, cid);
      if (!picture) invalid('Blob not found');
      return file({ ...picture, size: picture.bytes.length }, [picture.bytes]);
    }),
  ];
}

function file(
  { cid, mimeType, size }: Pick<StoredBlob, 'cid' | 'mimeType' | 'size'>,
  bytes: Iterable<Buffer> | AsyncIterable<Buffer>,
): SimulatorResponse {
  return {
    status: 200,
    headers: {
      'content-type': mimeType,
      'content-length': String(size),
      'content-disposition': `attachment; filename="${cid}"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
    body: Readable.from(bytes),
  };
}

/** Returns the account's own picture if it has this CID. */
async function drawnPicture(world: World, did: string, cid: string): Promise<DrawnPicture | null> {
  const account = await findAccount(world, did);
  const picture = account ? pictureOf(account) : null;
  return picture?.cid === cid ? picture : null;
}

/** Stores the account's own picture, if it has this CID, for a record that a client writes. */
async function storePicture(world: World, did: string, cid: string): Promise<StoredBlob | undefined> {
  const picture = await drawnPicture(world, did, cid);
  if (!picture) return undefined;
  const { bytes, sha256, mimeType } = picture;
  const key = randomText('blob-', 16);
  await world.options.blobs.put(key, Readable.from([bytes]));
  return storeBlob(world, did, { size: bytes.length, sha256, mimeType, keys: [key] });
}

/** Stores a body. Returns null and stores nothing if it exceeds the limit. */
export async function receive(
  world: World,
  key: string,
  body: Readable,
  limit: number,
): Promise<{ size: number; sha256: string } | null> {
  let size = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      done(size > limit ? new RangeError('too large') : null, chunk);
    },
  });
  // Reported by `put`, which may not have begun when the body breaks off.
  counted.on('error', () => {});
  // `pipe` does not destroy the body's stream, so the connection stays usable for the error response.
  body.once('error', (error) => counted.destroy(error));
  body.once('close', () => body.readableEnded || counted.destroy(new Error('The body broke off.')));
  body.pipe(counted);
  try {
    const { sha256 } = await world.options.blobs.put(key, counted);
    return { size, sha256 };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    body.resume();
    return null;
  }
}

/** Stores received bytes as a blob. The same content maps to the same blob. */
export async function storeBlob(
  world: World,
  did: string,
  given: { size: number; sha256: string; mimeType: string; keys: string[] },
): Promise<StoredBlob> {
  const { store, blobs } = world.options;
  const cid = cidOfDigest('raw', Buffer.from(given.sha256, 'hex'));
  const name = `${did} ${cid}`;
  if (await store.insert<StoredBlob>('blob', name, { ...given, cid, records: [] }))
    return { ...given, cid, records: [] };
  const known = await store.get<StoredBlob>('blob', name);
  if (!known) return storeBlob(world, did, given);
  for (const key of given.keys) if (!known.keys.includes(key)) await blobs.remove(key);
  // As in a PDS, the last upload of an unused blob sets its media type.
  if (known.records.length > 0 || known.mimeType === given.mimeType) return known;
  await store.put<StoredBlob>('blob', name, { ...known, mimeType: given.mimeType });
  return { ...known, mimeType: given.mimeType };
}

/**
 * Records that a record references a blob. @throws Refused if the blob does not exist or the reference does not match
 * it
 */
export async function useBlob(
  world: World,
  did: string,
  uri: string,
  ref: { cid: string; mimeType: string; size: number },
): Promise<StoredBlob> {
  const name = `${did} ${ref.cid}`;
  const found = (await world.options.store.get<StoredBlob>('blob', name)) ?? (await storePicture(world, did, ref.cid));
  if (!found) refuse(400, 'BlobNotFound', `Could not find blob: ${ref.cid}`);
  if (found.mimeType !== ref.mimeType)
    refuse(
      400,
      'InvalidMimeType',
      `Referenced Mimetype does not match stored blob. Expected: ${found.mimeType}, Got: ${ref.mimeType}`,
    );
  if (found.size !== ref.size)
    refuse(400, 'InvalidSize', `Referenced Size does not match stored blob. Expected: ${found.size}, Got: ${ref.size}`);
  const used = await world.options.store.change<StoredBlob>('blob', name, (blob) =>
    blob && !blob.records.includes(uri) ? { ...blob, records: [...blob.records, uri] } : undefined,
  );
  return used ?? found;
}

/** Removes a record's reference. Deletes the blob if no other record references it. */
export async function releaseBlob(world: World, did: string, uri: string, cid: string): Promise<void> {
  const name = `${did} ${cid}`;
  const left = await world.options.store.change<StoredBlob>(
    'blob',
    name,
    (blob) => blob && { ...blob, records: blob.records.filter((record) => record !== uri) },
  );
  if (!left || left.records.length > 0) return;
  await world.options.store.remove('blob', name);
  for (const key of left.keys) await world.options.blobs.remove(key);
}

export function refOf(blob: StoredBlob): JsonObject {
  return { $type: 'blob', ref: { $link: blob.cid }, mimeType: blob.mimeType, size: blob.size };
}

async function* chunks(world: World, keys: readonly string[]): AsyncGenerator<Buffer> {
  for (const key of keys)
    for await (const chunk of await world.options.blobs.get(key)) yield Buffer.from(chunk as Uint8Array);
}
