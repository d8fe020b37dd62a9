/** In-memory simulator stores and blobs, for tests and benchmarks. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Blobs, PublishedEntry } from '../contract.ts';
import type { SandboxStore } from './store.ts';

interface Item {
  text: string;
  owner: string | null;
  seq: number;
}

/**
 * A simulator store in memory. Values are copied as JSON on read and write, so callers cannot change stored records.
 */
export function memoryStore(): SandboxStore {
  const items = new Map<string, Item>();
  const published: string[] = [];
  const acts = new Set<string>();
  let seq = 0;
  const nameOf = (kind: string, key: string) => JSON.stringify([kind, key]);
  const read = <T>(name: string): T | undefined => {
    const item = items.get(name);
    return item ? (JSON.parse(item.text) as T) : undefined;
  };
  const write = (name: string, value: unknown, owner: string | undefined) => {
    const known = items.get(name);
    items.set(name, {
      text: JSON.stringify(value),
      owner: owner ?? known?.owner ?? null,
      seq: known?.seq ?? ++seq,
    });
  };
  return {
    get: async (kind, key) => read(nameOf(kind, key)),
    put: async (kind, key, value, owner) => write(nameOf(kind, key), value, owner),
    async change<T>(kind: string, key: string, change: (current: T | undefined) => T | undefined, owner?: string) {
      const name = nameOf(kind, key);
      const next = change(read<T>(name));
      if (next !== undefined) write(name, next, owner);
      return read<T>(name);
    },
    async insert(kind, key, value, owner) {
      const name = nameOf(kind, key);
      if (items.has(name)) return false;
      write(name, value, owner);
      return true;
    },
    async remove(kind, key) {
      items.delete(nameOf(kind, key));
    },
    async list<T>(kind: string, { owner, limit }: { owner?: string; limit: number }) {
      return [...items]
        .map(([name, item]) => ({ names: JSON.parse(name) as [string, string], item }))
        .filter(({ names, item }) => names[0] === kind && (owner === undefined || item.owner === owner))
        .sort((a, b) => b.item.seq - a.item.seq)
        .slice(0, limit)
        .map(({ names, item }) => ({ key: names[1], value: JSON.parse(item.text) as T }));
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
