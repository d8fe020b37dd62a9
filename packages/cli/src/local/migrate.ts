import type { Environment } from '@reelay/server/config/env.ts';
import { migrate, readMigrations } from '@reelay/server/db/migrate.ts';
import { TEXT } from '../messages.ts';
import { line } from '../output.ts';
import { withLocal } from './open.ts';

export async function showMigrations(env: Environment): Promise<void> {
  const applied = await withLocal(env, async ({ db }) => migrate(db, readMigrations()), { migrated: false });
  for (const name of applied) line(name);
  line(applied.length === 0 ? TEXT.schemaCurrent : TEXT.schemaMigrated);
}
