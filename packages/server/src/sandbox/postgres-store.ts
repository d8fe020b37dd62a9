/** A durable simulator store in the schema `sandbox`, which no other part of the service uses. */
import type { PublishedEntry } from '@reelay/sandbox/contract.ts';
import type { SandboxStore } from '@reelay/sandbox/store/store.ts';
import type { Queryable } from '../db/database.ts';
import { fromJsonb, toJsonb } from './jsonb.ts';

type Db = Pick<Queryable, 'query'>;

interface Stored {
  value: unknown;
  version: number;
}

/**
 * The store of one platform. `change` uses optimistic locking, so it may call its function several times, each time
 * with the current value.
 */
export function postgresStore(db: Db, platform: string): SandboxStore {
  const read = async (kind: string, key: string): Promise<Stored | undefined> =>
    (await db.query<Stored>(READ, [platform, kind, key]))[0];
  const insert = async (kind: string, key: string, text: string, owner?: string) =>
    (await db.query(INSERT, [platform, kind, key, text, owner ?? null])).length > 0;
  return {
    async get<T>(kind: string, key: string) {
      const found = await read(kind, key);
      return found && fromJsonb<T>(found.value);
    },
    async put(kind, key, value, owner) {
      await db.query(PUT, [platform, kind, key, toJsonb(value), owner ?? null]);
    },
    insert: (kind, key, value, owner) => insert(kind, key, toJsonb(value), owner),
    async change<T>(kind: string, key: string, change: (current: T | undefined) => T | undefined, owner?: string) {
      // Retry on conflict. One writer always succeeds, so this terminates.
      for (;;) {
        const found = await read(kind, key);
        const current = found && fromJsonb<T>(found.value);
        const next = change(current);
        if (next === undefined) return found && fromJsonb<T>(found.value);
        const text = toJsonb(next);
        const done = found
          ? (await db.query(UPDATE, [platform, kind, key, text, owner ?? null, found.version])).length > 0
          : await insert(kind, key, text, owner);
        if (done) return JSON.parse(JSON.stringify(next)) as T;
      }
    },
    async remove(kind, key) {
      await db.query('delete from sandbox.item where platform = $1 and kind = $2 and key = $3', [platform, kind, key]);
    },
    async list<T>(kind: string, { owner, limit }: { owner?: string; limit: number }) {
      const rows =
        owner === undefined
          ? await db.query<{ key: string; value: unknown }>(LIST, [platform, kind, limit])
          : await db.query<{ key: string; value: unknown }>(LIST_OF_OWNER, [platform, kind, limit, owner]);
      return rows.map((row) => ({ key: row.key, value: fromJsonb<T>(row.value) }));
    },
    async publish(entry, act) {
      await db.query(PUBLISH, [platform, entry.id, act ?? null, toJsonb(entry)]);
    },
    async unpublish(id) {
      await db.query('update sandbox.published set removed = true where platform = $1 and id = $2', [platform, id]);
    },
    async published() {
      const rows = await db.query<{ entry: unknown }>(
        'select entry from sandbox.published where platform = $1 and not removed order by seq',
        [platform],
      );
      return rows.map((row) => fromJsonb<PublishedEntry>(row.entry));
    },
  };
}

const READ = 'select value, version from sandbox.item where platform = $1 and kind = $2 and key = $3';

const INSERT = `insert into sandbox.item (platform, kind, key, value, owner) values ($1, $2, $3, $4, $5)
  on conflict (platform, kind, key) do nothing returning seq`;

/** `seq` is kept, because lists are ordered by the first write. An owner once set is kept too. */
const PUT = `insert into sandbox.item (platform, kind, key, value, owner) values ($1, $2, $3, $4, $5)
  on conflict (platform, kind, key) do update
  set value = excluded.value, owner = coalesce(excluded.owner, item.owner), version = nextval('sandbox.item_version')`;

const UPDATE = `update sandbox.item
  set value = $4, owner = coalesce($5, owner), version = nextval('sandbox.item_version')
  where platform = $1 and kind = $2 and key = $3 and version = $6 returning seq`;

/** Index: item_newest. */
const LIST = 'select key, value from sandbox.item where platform = $1 and kind = $2 order by seq desc limit $3';

/** Index: item_newest_of_owner. */
const LIST_OF_OWNER = `select key, value from sandbox.item where platform = $1 and kind = $2 and owner = $4
  order by seq desc limit $3`;

/** Index: published_once_per_act. */
const PUBLISH = `insert into sandbox.published (platform, id, act, entry) values ($1, $2, $3, $4)
  on conflict (platform, act) where act is not null do nothing`;
