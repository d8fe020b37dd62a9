/** Profile pictures: copied, because platforms' own addresses expire. Whatever goes wrong is harmless. */
import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { type AddressGuard, guardedLookup } from '../connectors/kit/address-guard.ts';
import type { Queryable } from '../db/database.ts';
import { uuidv7 } from '../ids.ts';
import type { Storage } from '../storage/contract.ts';
import { pictureKey } from '../storage/pictures.ts';

const MOST_BYTES = 2 * 1024 * 1024;
const DEADLINE_MS = 5_000;
const MOST_REDIRECTS = 3;

/** The kind of picture that some bytes are, by how they begin; null: none that we keep. */
export function pictureKind(bytes: Buffer): 'jpg' | 'png' | 'webp' | null {
  const begins = (at: number, ...wanted: number[]) => wanted.every((byte, index) => bytes[at + index] === byte);
  if (begins(0, 0xff, 0xd8, 0xff)) return 'jpg';
  if (begins(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  const riff = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return riff ? 'webp' : null;
}

export type Fetched = { bytes: Buffer; kind: 'jpg' | 'png' | 'webp' } | { problem: string };

/** Fetches a picture of at most 2 MiB in at most 5 s, from public addresses only. Never throws. */
export async function fetchPicture(address: string, guard: AddressGuard): Promise<Fetched> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  let url = URL.parse(address);
  try {
    for (let hops = 0; url && hops <= MOST_REDIRECTS; hops++) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') return { problem: 'address' };
      const refusal = guard.refuse(url);
      if (refusal) return { problem: refusal };
      const answer = await get(url, guard, signal);
      if (Buffer.isBuffer(answer)) {
        const kind = pictureKind(answer);
        return kind ? { bytes: answer, kind } : { problem: 'no_picture' };
      }
      if (!answer.location) return { problem: `status_${answer.status}` };
      url = URL.parse(answer.location, url.href);
    }
    return { problem: url ? 'redirects' : 'address' };
  } catch (error) {
    return { problem: signal.aborted ? 'timeout' : problemOf(error) };
  }
}

type Other = { status: number; location: string | undefined };

function get(url: URL, guard: AddressGuard, signal: AbortSignal): Promise<Buffer | Other> {
  return new Promise((resolve, reject) => {
    const client = url.protocol === 'https:' ? https : http;
    const request = client.get(url, { agent: false, lookup: guardedLookup(guard, url), signal }, (answer) => {
      const status = answer.statusCode ?? 0;
      if (status !== 200) {
        answer.destroy();
        return resolve({ status, location: status >= 300 && status < 400 ? answer.headers.location : undefined });
      }
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MOST_BYTES) answer.destroy(Object.assign(new Error('Too large.'), { code: 'too_large' }));
        else chunks.push(chunk);
      });
      answer.on('end', () => resolve(Buffer.concat(chunks)));
      answer.on('error', reject);
      answer.on('aborted', () => reject(Object.assign(new Error('Cut.'), { code: 'cut' })));
    });
    request.on('error', reject);
  });
}

function problemOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code.toLowerCase() : 'error';
}

/**
 * Stores a picture under a new name. Until a transaction calls {@link keepAvatar}, its removal is noted, so that a crash
 * in between leaves nothing behind.
 */
export async function storeAvatar(
  db: Queryable,
  storage: Storage,
  picture: { bytes: Buffer; kind: string },
): Promise<string> {
  const filename = `${uuidv7()}.${picture.kind}`;
  await db.execute("insert into file_removal (storage_key, due_at) values ($1, app_now() + interval '1 day')", [
    pictureKey(filename),
  ]);
  await storage.put(pictureKey(filename), Readable.from([picture.bytes]));
  return filename;
}

/** In the transaction that refers to a new picture: it stays, and the one that it replaces goes. */
export async function keepAvatar(tx: Queryable, filename: string, former: string | null): Promise<void> {
  await tx.execute('delete from file_removal where storage_key = $1', [pictureKey(filename)]);
  if (former && former !== filename)
    await tx.execute('insert into file_removal (storage_key) values ($1) on conflict do nothing', [pictureKey(former)]);
}

/** Whether the picture that we have is this one, byte for byte. */
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
