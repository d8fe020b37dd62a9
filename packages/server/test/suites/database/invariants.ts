/** Invariants that must hold after any database fault, as a list of violations. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { filesOf } from '../../post/world.ts';
import type { DatabaseWorld } from './world.ts';

/** Twice the lease of a lane, in ms: by then nothing that a fault interrupted may be stuck. */
export const TWO_LEASES_MS = 20_000;
/** Twice the longest lease of other due rows (firings, grants, files), in ms. */
const TWO_LONG_LEASES_MS = 120_000;
/** A worker sends a heartbeat every 20 seconds; the fault may have lost one. */
const MAX_HEARTBEAT_SECONDS = 45;

const LEASED = [
  'firing',
  'watch',
  'watched_post',
  'source_file',
  'access_grant',
  'account',
  'file_removal',
  'rendition',
  'idempotency',
  'upload',
];

/**
 * Checks the result of one publish: in the platform's store exactly once, and posted in the service. The process
 * survives and the platform responded, so not even an unknown outcome is acceptable.
 */
export async function publishProblems(
  world: DatabaseWorld,
  platform: string,
  targetId: string,
  text: string,
): Promise<string[]> {
  const { state, code } = await world.target(targetId);
  const published = await world.published(platform, text);
  if (state === 'posted' && published === 1) return [];
  const what =
    published > 1
      ? `published ${published} times`
      : state === 'posted'
        ? 'said to be posted and is not'
        : state === 'failed'
          ? `failed (${code}) with ${published} published`
          : 'not at rest';
  return [`${what}: ${state} on ${platform}: ${await world.timeline(targetId)}`];
}

/** Checks the service as a whole, once the operation has finished. */
export async function serviceProblems(world: DatabaseWorld): Promise<string[]> {
  const held = await leaseProblems(world);
  // The other problems would only be consequences.
  if (held.length > 0) return held;
  return [...(await canaryProblems(world)), ...(await healthProblems(world)), ...(await leakProblems(world))];
}

/** No lease may be renewed when nothing is running. */
async function leaseProblems({ service, time }: DatabaseWorld): Promise<string[]> {
  const live = async (tables: readonly string[]) => {
    const sql = tables.map((table) => `select '${table}' as held from ${table} where lease_until > app_now()`);
    return service.db.query<{ held: string }>(sql.join(' union all '));
  };
  const problems: string[] = [];
  for (const [tables, withinMs] of [
    [['lane'], TWO_LEASES_MS],
    [LEASED, TWO_LONG_LEASES_MS],
  ] as const) {
    if (await time.until(async () => (await live(tables)).length === 0, withinMs)) continue;
    const held = await live(tables);
    problems.push(`held though nobody works on it: ${held.map((row) => row.held).join(', ')}`);
  }
  return problems;
}

/** Number of the service's last log lines that a failure shows. */
const MAX_LOG_LINES = 40;
/** After failed claims, loops wait for up to this long (ms). */
const MAX_BACKOFF_MS = 30_000;

/** A new post is published soon: claims succeed. */
async function canaryProblems(world: DatabaseWorld): Promise<string[]> {
  const { user, account } = world.bystander;
  const { targets, text } = await world.queue(user, [account]);
  const [id = ''] = targets;
  await world.time.until(async () => (await world.target(id)).state === 'posted', TWO_LEASES_MS + MAX_BACKOFF_MS);
  const problems = await publishProblems(world, account.platform, id, text);
  return problems.map((problem) => `a later post: ${problem}`);
}

/** A statement without a response fails after 13 s. Then the loop waits, because the cases before hit it too. */
const MAX_RECOVERY_MS = 15_000 + MAX_BACKOFF_MS;

async function healthProblems({ service, time }: DatabaseWorld): Promise<string[]> {
  let last = '';
  const isReady = async () => {
    const { status, body } = await service.client.get('//health/ready');
    last = `${status}, ${JSON.stringify(body.parts)}`;
    const age = body.parts.youngestHeartbeatSeconds;
    return status === 200 && age !== null && age <= MAX_HEARTBEAT_SECONDS;
  };
  if (await time.until(isReady, MAX_RECOVERY_MS)) return [];
  const lines = service.logged.filter(({ msg }) => msg !== 'request').slice(-MAX_LOG_LINES);
  return [`not ready again: ${last}`, ...lines.map((line) => JSON.stringify(line))];
}

async function leakProblems({ service, time, faults }: DatabaseWorld): Promise<string[]> {
  const { context, db } = service;
  const { pool } = context.db;
  const problems: string[] = [];
  if (!(await time.until(async () => pool.totalCount === pool.idleCount, TWO_LEASES_MS)))
    problems.push(
      `${pool.totalCount - pool.idleCount} connections were never given back: ${faults.acquired().join('; ')}`,
    );
  const evidence = await readdir(join(context.config.dataDir, 'evidence')).catch(() => []);
  if (evidence.length > 0) problems.push(`${evidence.length} pieces of evidence were left`);
  const known = await db.query<{ key: string }>(
    `select storage_key as key from media where state <> 'gone' union select 'pictures/' || thumbnail from media
     union select storage_key from rendition union select storage_key from file_removal where due_at is not null
     union select 'pictures/' || avatar from account
     union select 'uploads/' || id || '.' || file from upload`,
  );
  const keys = new Set(known.map(({ key }) => key));
  const { storageFolder } = context.config;
  const strays = (await filesOf(service))
    .map((path) => path.slice(storageFolder.length + 1))
    .filter((key) => !key.startsWith('sandbox/') && !keys.has(key));
  if (strays.length > 0) problems.push(`files that no row knows: ${strays.join(', ')}`);
  return problems;
}
