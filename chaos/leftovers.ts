/** Checks for leftovers after a run: leases, evidence files, processes, files, secrets in logs. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { grantPurpose } from '@reelay/server/accounts/tokens/token-secret.ts';
import { family } from '../bench/kit/processes.ts';
import type { Database } from '../packages/server/src/db/database.ts';
import type { Sealer } from '../packages/server/src/seal.ts';

/** Lanes that are still leased although nobody works on them. */
export async function heldLanes(db: Database): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select identity_id as id from lane where lease_until > app_now() or in_hand is not null',
  );
  return rows.map(({ id }) => `Lane ${id} is still held.`);
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

/** Stored videos and pictures without a row, and rows without a file. */
export async function strayFiles(db: Database, storageFolder: string): Promise<string[]> {
  const rows = await db.query<{ key: string }>(
    `select storage_key as key from media where state = 'stored'
     union select storage_key from rendition where state = 'stored'`,
  );
  const known = new Set(rows.map(({ key }) => key));
  const pending = new Set(
    (await db.query<{ key: string }>('select storage_key as key from file_removal')).map(({ key }) => key),
  );
  const folders = new Set([...known].map((key) => key.split('/')[0] ?? ''));
  const stored = new Set<string>();
  for (const folder of folders) {
    const names = await readdir(join(storageFolder, folder), { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of names)
      if (entry.isFile()) stored.add(join(entry.parentPath, entry.name).slice(storageFolder.length + 1));
  }
  return [
    ...[...known].filter((key) => !stored.has(key)).map((key) => `The file ${key} is gone.`),
    ...[...stored].filter((key) => !known.has(key) && !pending.has(key)).map((key) => `No row knows the file ${key}.`),
  ];
}

const MIN_SECRET_LENGTH = 12;

/**
 * Tokens and keys that appear in a log or a timeline.
 * @param keys secrets besides the accounts' tokens
 */
export async function leakedSecrets(
  db: Database,
  sealer: Sealer,
  logs: readonly string[],
  keys: readonly string[],
): Promise<string[]> {
  const grants = await db.query<{ id: string; sealed: Buffer }>('select id, sealed from access_grant');
  const secrets = new Set(
    [...keys, ...grants.flatMap(({ id, sealed }) => textsIn(sealer.open(sealed, grantPurpose(id))))].filter(
      (secret) => secret.length >= MIN_SECRET_LENGTH,
    ),
  );
  const timeline = await db.query<{ text: string }>('select distinct text from timeline');
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
