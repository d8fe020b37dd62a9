/** Checks for leftovers after a run: leases, evidence files, processes, files, secrets in logs. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { grantPurpose } from '@reelay/server/accounts/tokens/token-secret.ts';
import { family } from '../bench/kit/processes.ts';
import type { Database } from '../packages/server/src/db/database.ts';
import type { Sealer } from '../packages/server/src/lib/encryption/seal.ts';

/** A worker releases a lane after the last target's end; a killed worker's lease expires. In ms. */
const RELEASED_WITHIN_MS = 30_000;

/** Lanes that stay leased although nothing is due, or that are marked as working on an unfinished target. */
export async function heldLanes(db: Database): Promise<string[]> {
  for (const limit = performance.now() + RELEASED_WITHIN_MS; ; await pause(200)) {
    const rows = await db.query<{ id: string; worker: string | null; leased: boolean; target: string | null }>(
      `select l.identity_id as id, l.worker_id as worker, coalesce(l.lease_until > app_now(), false) as leased,
         t.id as target
       from lane l left join target t on t.id = l.in_hand and t.due_at is not null
       where l.lease_until > app_now() or t.id is not null`,
    );
    if (rows.length === 0 || performance.now() > limit)
      return rows.map(
        ({ id, worker, leased, target }) =>
          `Lane ${id} of worker ${worker} is ${leased ? 'leased' : 'not leased'}; its unfinished target: ${target}.`,
      );
  }
}

/** Platform responses left in files although the database is available again. */
export async function evidenceFiles(dataFolders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    dataFolders.map(async (folder) =>
      (await readdir(join(folder, 'evidence')).catch(() => [])).map((name) => join(folder, name)),
    ),
  );
  return found.flat().map((path) => `Evidence was left in ${path}.`);
}

/**
 * Processes started by the run that still exist.
 * @param except pids that are expected to keep running
 */
export function leftProcesses(except: readonly number[]): string[] {
  return family(process.pid)
    .filter((pid) => pid !== process.pid && !except.includes(pid))
    .map((pid) => `Process ${pid} is still there.`);
}

/** Storage keys that some row refers to. A video's thumbnail is kept as long as its row. */
const REFERENCED = `select storage_key as key from media where state = 'stored'
  union select 'pictures/' || thumbnail from media where state <> 'storing'
  union select 'pictures/' || avatar from account where avatar is not null
  union select storage_key from rendition where state = 'stored'`;

/**
 * Files without a row, rows without a file, and files that were not removed. Call after {@link runMaintenance}: until
 * its sweeps, files of interrupted uploads are expected.
 */
export async function strayFiles(db: Database, storageFolder: string): Promise<string[]> {
  const referenced = new Set((await db.query<{ key: string }>(REFERENCED)).map(({ key }) => key));
  const queued = await db.query<{ key: string }>('select storage_key as key from file_removal');
  const entries = await readdir(storageFolder, { recursive: true, withFileTypes: true });
  const stored = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(storageFolder, join(entry.parentPath, entry.name))),
  );
  return [
    ...queued.map(({ key }) => `The file ${key} was not removed.`),
    ...[...referenced].filter((key) => !stored.has(key)).map((key) => `The file ${key} is gone.`),
    ...[...stored].filter((key) => !referenced.has(key)).map((key) => `No row refers to the file ${key}.`),
  ];
}

const MIN_SECRET_LENGTH = 12;

/** Tokens of all accounts, and the given keys. @param keys secrets besides the accounts' tokens */
export async function readSecrets(db: Database, sealer: Sealer, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const grants = await db.query<{ id: string; sealed: Buffer }>('select id, sealed from access_grant');
  const texts = grants.flatMap(({ id, sealed }) => textsIn(sealer.open(sealed, grantPurpose(id))));
  return new Set([...keys, ...texts].filter((secret) => secret.length >= MIN_SECRET_LENGTH));
}

/** Secrets that appear in a log or a timeline. */
export async function leakedSecrets(
  db: Database,
  secrets: ReadonlySet<string>,
  logs: readonly string[],
): Promise<string[]> {
  const timeline = await db.query<{ text: string }>('select distinct params::text as text from timeline');
  const texts = [
    ...(await Promise.all(logs.map(async (path) => ({ name: path, text: await readFile(path, 'utf8') })))),
    { name: 'the timeline', text: timeline.map(({ text }) => text).join('\n') },
  ];
  return texts.flatMap(({ name, text }) =>
    [...secrets].some((secret) => text.includes(secret)) ? [`A secret appears in ${name}.`] : [],
  );
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}
