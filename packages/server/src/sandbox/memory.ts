/** Books and blobs that live as long as the process: for tests and benchmarks. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Blobs, PublishedEntry } from '../connectors/kit/simulator.ts';
import type { SandboxBooks } from './books.ts';

interface Item {
  text: string;
  owner: string | null;
  seq: number;
}

/** Books in memory. Values are copied in and out as JSON, so nobody changes a record by holding on to it. */
export function memoryBooks(): SandboxBooks {
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

/** Blobs in memory; a stream that breaks off leaves nothing. `get` and `hash` throw for an unknown key. */
export function memoryBlobs(): Blobs {
  const blobs = new Map<string, Buffer>();
  const known = (key: string): Buffer => {
    const bytes = blobs.get(key);
    if (!bytes) throw new Error(`There is no blob "${key}".`);
    return bytes;
  };
  return {
    async put(key, source) {
      const parts: Buffer[] = [];
      for await (const part of source) parts.push(Buffer.from(part as Uint8Array));
      const bytes = Buffer.concat(parts);
      blobs.set(key, bytes);
      return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    },
    async get(key, range) {
      const bytes = known(key);
      return Readable.from([range ? bytes.subarray(range.first, range.last + 1) : bytes], { objectMode: false });
    },
    size: async (key) => blobs.get(key)?.length ?? null,
    async remove(key) {
      blobs.delete(key);
    },
    async hash(keys) {
      const hash = createHash('sha256');
      let length = 0;
      for (const key of keys) {
        const bytes = known(key);
        hash.update(bytes);
        length += bytes.length;
      }
      return { bytes: length, sha256: hash.digest('hex') };
    },
  };
}
