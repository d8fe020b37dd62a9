/**
 * A store in a file: an append-only journal of changes (JSON lines), replayed into memory when it is opened. One process
 * at a time may use it.
 */
import { closeSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { PublishedEntry } from '../contract.ts';
import { memoryStore } from './memory.ts';
import type { SandboxStore } from './store.ts';

export interface FolderStore extends SandboxStore {
  close(): void;
}

type Change =
  | ['put', kind: string, key: string, value: unknown, owner?: string]
  | ['remove', kind: string, key: string]
  | ['publish', entry: PublishedEntry, act?: string]
  | ['unpublish', id: string];

/** Opens the store of one platform, `FOLDER/PLATFORM.jsonl`, and creates it if missing. */
export function openFolderStore(folder: string, platform: string): FolderStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${platform}.jsonl`);
  const file = openSync(path, 'a', 0o600);
  const memory = memoryStore();
  // The store in memory changes before it returns its promise, so the order of calls is the order of changes.
  for (const change of readJournal(path)) void apply(memory, change);
  const append = (...change: Change) => writeSync(file, `${JSON.stringify(change)}\n`);
  const change: SandboxStore['change'] = (kind, key, makeNext, owner) => {
    const journaled: typeof makeNext = (current) => {
      const next = makeNext(current);
      if (next !== undefined) append('put', kind, key, next, owner);
      return next;
    };
    return memory.change(kind, key, journaled, owner);
  };
  return {
    get: memory.get,
    list: memory.list,
    published: memory.published,
    close: () => closeSync(file),
    async put(kind, key, value, owner) {
      const done = memory.put(kind, key, value, owner);
      append('put', kind, key, value, owner);
      await done;
    },
    async insert(kind, key, value, owner) {
      let isNew = false;
      await change<typeof value>(
        kind,
        key,
        (current) => {
          isNew = current === undefined;
          return isNew ? value : undefined;
        },
        owner,
      );
      return isNew;
    },
    change,
    async remove(kind, key) {
      const done = memory.remove(kind, key);
      append('remove', kind, key);
      await done;
    },
    async publish(entry, act) {
      const done = memory.publish(entry, act);
      append('publish', entry, act);
      await done;
    },
    async unpublish(id) {
      const done = memory.unpublish(id);
      append('unpublish', id);
      await done;
    },
  };
}

/** A last line that a crash cut off is removed. */
function readJournal(path: string): Change[] {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf('\n') + 1;
  if (end < bytes.length) truncateSync(path, end);
  const lines = bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Change);
}

function apply(store: SandboxStore, change: Change): Promise<void> {
  switch (change[0]) {
    case 'put':
      return store.put(change[1], change[2], change[3], change[4] ?? undefined);
    case 'remove':
      return store.remove(change[1], change[2]);
    case 'publish':
      return store.publish(change[1], change[2] ?? undefined);
    case 'unpublish':
      return store.unpublish(change[1]);
  }
}
