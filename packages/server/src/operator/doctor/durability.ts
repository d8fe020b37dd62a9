/** Checks whether commits that the database server acknowledges survive its crash. */
import type { Queryable } from '../../db/database.ts';
import { find } from '../../messages/doctor.ts';
import type { Message } from '../../messages/message.ts';
import type { Finding } from './finding.ts';

/** Settings that durable commits require. Otherwise a crash can lose a commit: a post may be missing or sent twice. */
const NEEDED: readonly { name: string; accepted: (value: string) => boolean; where: string | Message }[] = [
  { name: 'fsync', accepted: (value) => value === 'on', where: 'postgresql.conf' },
  { name: 'full_page_writes', accepted: (value) => value === 'on', where: 'postgresql.conf' },
  {
    name: 'synchronous_commit',
    accepted: (value) => value === 'on' || value === 'remote_apply',
    where: find('session_setting'),
  },
];

/** Reads the settings as they apply to our own sessions. */
export async function readDurability(db: Queryable): Promise<Finding[]> {
  const rows = await db.query<{ name: string; value: string }>(
    'select name, current_setting(name) as value from unnest($1::text[]) as name',
    [NEEDED.map(({ name }) => name)],
  );
  return durabilityFindings(Object.fromEntries(rows.map(({ name, value }) => [name, value])));
}

/**
 * Pure.
 * @param settings values by name
 */
export function durabilityFindings(settings: Readonly<Record<string, string>>): Finding[] {
  const weak = NEEDED.filter(({ name, accepted }) => !accepted(settings[name] ?? ''));
  if (weak.length === 0) return [{ verdict: 'ok', message: find('commits_durable') }];
  return weak.map(({ name, where }) => ({
    verdict: 'fail',
    message: find('commits_not_durable', { name, value: settings[name] ?? '', where }),
  }));
}
