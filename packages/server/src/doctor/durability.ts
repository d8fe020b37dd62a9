/** Checks whether commits that the database server acknowledges survive its crash. */
import type { Queryable } from '../db/database.ts';
import { FINDING } from '../messages/doctor.ts';
import type { Finding } from './finding.ts';

/** Settings that durable commits require. Otherwise a crash can lose a commit: a post may be missing or sent twice. */
const NEEDED: readonly { name: string; accepted: (value: string) => boolean; where: string }[] = [
  { name: 'fsync', accepted: (value) => value === 'on', where: 'postgresql.conf' },
  { name: 'full_page_writes', accepted: (value) => value === 'on', where: 'postgresql.conf' },
  {
    name: 'synchronous_commit',
    accepted: (value) => value === 'on' || value === 'remote_apply',
    where: FINDING.sessionSetting,
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
  if (weak.length === 0) return [{ verdict: 'ok', text: FINDING.commitsDurable }];
  return weak.map(({ name, where }) => ({
    verdict: 'fail',
    text: FINDING.commitsNotDurable(name, settings[name], where),
  }));
}
