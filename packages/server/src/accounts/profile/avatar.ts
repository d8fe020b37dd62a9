/** Copies profile pictures, because the platforms' URLs expire. Failures are harmless. */
import { Readable } from 'node:stream';
import type { Queryable } from '../../db/database.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { announcePicture } from '../../media/picture-store.ts';
import { type AddressGuard, createAddressGuard } from '../../outbound/address-guard.ts';
import { reasonOf } from '../../outbound/http-client.ts';
import { openAddress } from '../../outbound/open-address.ts';
import type { Storage } from '../../storage/contract.ts';
import { pictureKey } from '../../storage/pictures.ts';

const MAX_BYTES = 2 * 1024 * 1024;
const DEADLINE_MS = 5_000;
const MAX_REDIRECTS = 3;
/** Some servers reject requests without a user agent. */
const HEADERS = { 'user-agent': 'Reelay' };

/** Detects the image format from the magic bytes; null if the format is not supported. */
export function pictureKind(bytes: Buffer): 'jpg' | 'png' | 'webp' | null {
  const begins = (at: number, ...wanted: number[]) => wanted.every((byte, index) => bytes[at + index] === byte);
  if (begins(0, 0xff, 0xd8, 0xff)) return 'jpg';
  if (begins(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  const riff = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return riff ? 'webp' : null;
}

/**
 * Returns the address guard for fetching a file of an account. The account's server chooses the file's URL, so a
 * private address is allowed only if it is that server's own origin. Pure.
 * @param service the account's server; "" if the platform has only one
 */
export function pictureGuard(
  guard: AddressGuard,
  { service, sandbox }: { service: string; sandbox: boolean },
): AddressGuard {
  if (sandbox) return guard;
  const strict = createAddressGuard([], []);
  const guardOf = (url: URL) => (url.origin === URL.parse(service)?.origin ? guard : strict);
  return {
    refuse: (url) => guardOf(url).refuse(url),
    allows: (url, address) => guardOf(url).allows(url, address),
  };
}

export type Fetched = { bytes: Buffer; kind: 'jpg' | 'png' | 'webp' } | { problem: string };

/** Fetches a picture: at most 2 MiB, within 5 s, only from addresses that the guard allows. Never throws. */
export async function fetchPicture(address: string, guard: AddressGuard): Promise<Fetched> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    const limits = { mostRedirects: MAX_REDIRECTS, headMs: DEADLINE_MS };
    const opened = await openAddress(address, { guard, ...limits, headers: HEADERS, signal });
    if ('problem' in opened) return { problem: opened.problem.reason };
    const { response } = opened;
    if (response.statusCode !== 200) {
      response.destroy();
      return { problem: `status_${response.statusCode}` };
    }
    const bytes = await collect(response);
    if (!bytes) return { problem: 'too_large' };
    const kind = pictureKind(bytes);
    return kind ? { bytes, kind } : { problem: 'no_picture' };
  } catch (error) {
    return { problem: signal.aborted ? 'timeout' : reasonOf(error) };
  }
}

/** Reads the whole response, or returns null if it is too large. Leaving the loop early closes the connection. */
async function collect(response: AsyncIterable<Buffer>): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Stores a picture under a new name. Its removal is scheduled until a transaction calls `keepPicture`, so a crash in
 * between leaves no orphaned file.
 */
export async function storeAvatar(
  db: Queryable,
  storage: Storage,
  picture: { bytes: Buffer; kind: string },
): Promise<string> {
  const filename = `${uuidv7()}.${picture.kind}`;
  await announcePicture(db, filename);
  await storage.put(pictureKey(filename), Readable.from([picture.bytes]));
  return filename;
}

/**
 * Takes the picture from an account and schedules the removal of its file. Call it in a transaction that has locked the
 * account. Index: account_avatar.
 */
export async function dropAvatar(tx: Queryable, accountId: string, filename: string): Promise<void> {
  await tx.execute('update account set avatar = null where id = $1', [accountId]);
  await tx.execute(
    `insert into file_removal (storage_key) select $1 where not exists (select from account where avatar = $2)
     on conflict do nothing`,
    [pictureKey(filename), filename],
  );
}

/** Whether the stored picture is byte-for-byte identical to this one. */
export async function isSamePicture(storage: Storage, filename: string | null, bytes: Buffer): Promise<boolean> {
  if (!filename) return false;
  try {
    if ((await storage.size(pictureKey(filename))) !== bytes.length) return false;
    const chunks: Buffer[] = [];
    for await (const chunk of await storage.read(pictureKey(filename))) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).equals(bytes);
  } catch {
    return false;
  }
}
