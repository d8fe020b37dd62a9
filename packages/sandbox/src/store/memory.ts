/** In-memory simulator stores and blobs, for tests and benchmarks. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Blobs, PublishedEntry } from '../contract.ts';
import type { SandboxStore } from './store.ts';

interface Item {
  key: string;
  text: string;
  owner: string | null;
  seq: number;
}

type Items = Map<string, Item>;

/**
 * A simulator store in memory. Values are copied as JSON on read and write, so callers cannot change stored records.
 */
export function memoryStore(): SandboxStore {
  const items = new Map<string, Items>();
  /** The same items by kind and owner: a list of one account must not visit all accounts. */
  const owned = new Map<string, Items>();
  const published: string[] = [];
  const acts = new Set<string>();
  let seq = 0;
  const nameOf = (kind: string, owner: string) => JSON.stringify([kind, owner]);
  const within = (all: Map<string, Items>, name: string): Items => {
    const found = all.get(name) ?? new Map<string, Item>();
    all.set(name, found);
    return found;
  };
  const find = (kind: string, key: string) => items.get(kind)?.get(key);
  const read = <T>(kind: string, key: string): T | undefined => {
    const item = find(kind, key);
    return item ? (JSON.parse(item.text) as T) : undefined;
  };
  const disown = (kind: string, { key, owner }: Item) => {
    if (owner !== null) owned.get(nameOf(kind, owner))?.delete(key);
  };
  const write = (kind: string, key: string, value: unknown, owner: string | undefined) => {
    const known = find(kind, key);
    if (known) disown(kind, known);
    const next = {
      key,
      text: JSON.stringify(value),
      owner: owner ?? known?.owner ?? null,
      seq: known?.seq ?? ++seq,
    };
    within(items, kind).set(key, next);
    if (next.owner !== null) within(owned, nameOf(kind, next.owner)).set(key, next);
  };
  return {
    get: async (kind, key) => read(kind, key),
    put: async (kind, key, value, owner) => write(kind, key, value, owner),
    async change<T>(kind: string, key: string, change: (current: T | undefined) => T | undefined, owner?: string) {
      const next = change(read<T>(kind, key));
      if (next !== undefined) write(kind, key, next, owner);
      return read<T>(kind, key);
    },
    async insert(kind, key, value, owner) {
      if (find(kind, key)) return false;
      write(kind, key, value, owner);
      return true;
    },
    async remove(kind, key) {
      const known = find(kind, key);
      if (!known) return;
      disown(kind, known);
      items.get(kind)?.delete(key);
    },
    async list<T>(kind: string, { owner, limit }: { owner?: string; limit: number }) {
      const found = owner === undefined ? items.get(kind) : owned.get(nameOf(kind, owner));
      return [...(found?.values() ?? [])]
        .sort((a, b) => b.seq - a.seq)
        .slice(0, limit)
        .map(({ key, text }) => ({ key, value: JSON.parse(text) as T }));
    },
    async publish(entry, act) {
      if (act !== undefined && acts.has(act)) return;
      if (act !== undefined) acts.add(act);
      published.push(JSON.stringify(entry));
    },
    async unpublish(id) {
      for (let i = published.length - 1; i >= 0; i--)
        if ((JSON.parse(published[i] ?? '{}') as PublishedEntry).id === id) published.splice(i, 1);
    },
    published: async () => published.map((text) => JSON.parse(text) as PublishedEntry),
  };
}

/**
 * Blobs in memory. A stream that fails stores nothing. `get` and `hash` throw for an unknown key. Chunks are kept as
 * received: videos are large, and joining them would copy every byte again.
 */
export function memoryBlobs(): Blobs {
  const blobs = new Map<string, { pieces: Buffer[]; bytes: number; sha256: string }>();
  const known = (key: string) => {
    const blob = blobs.get(key);
    if (!blob) throw new Error(`There is no blob "${key}".`);
    return blob;
  };
  return {
    async put(key, source) {
      const pieces: Buffer[] = [];
      const hash = createHash('sha256');
      let bytes = 0;
      for await (const part of source as AsyncIterable<Uint8Array>) {
        const piece = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
        hash.update(piece);
        bytes += piece.length;
        pieces.push(piece);
      }
      const sha256 = hash.digest('hex');
      blobs.set(key, { pieces, bytes, sha256 });
      return { bytes, sha256 };
    },
    async get(key, range) {
      const { pieces, bytes } = known(key);
      return Readable.from(range ? between(pieces, range.first, Math.min(range.last, bytes - 1)) : pieces, {
        objectMode: false,
      });
    },
    size: async (key) => blobs.get(key)?.bytes ?? null,
    async remove(key) {
      blobs.delete(key);
    },
    async hash(keys) {
      const [only] = keys;
      if (only !== undefined && keys.length === 1) return { bytes: known(only).bytes, sha256: known(only).sha256 };
      const hash = createHash('sha256');
      let length = 0;
      for (const key of keys) {
        const { pieces, bytes } = known(key);
        for (const piece of pieces) hash.update(piece);
        length += bytes;
      }
      return { bytes: length, sha256: hash.digest('hex') };
    },
  };
}

/** The bytes from first to last, both inclusive, without copying. */
function between(pieces: readonly Buffer[], first: number, last: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  for (const piece of pieces) {
    if (at <= last && at + piece.length > first)
      found.push(piece.subarray(Math.max(0, first - at), Math.min(piece.length, last - at + 1)));
    at += piece.length;
  }
  return found;
}
