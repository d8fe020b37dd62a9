import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../src/db/database.ts';
import { createLog } from '../../src/lib/log.ts';
import type { AuthOptions } from '../../src/users/better-auth.ts';
import { passkeySettings } from '../../src/users/better-auth-passkeys.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test('the auth tables match the schema of better-auth', async () => {
  const { getMigrations } = await import('better-auth/db/migration');
  const own = createDatabase({ connection: { ...db.connection, options: '-c search_path=auth' }, size: 1 });
  const options: AuthOptions = {
    config: { publicUrl: 'http://localhost:3000', httpsOnly: false, defaultPlan: 'PRO' },
    secrets: [{ version: 1, value: 'x'.repeat(32) }],
    pool: own.pool,
    resets: null,
    log: createLog({ level: 'silent', pretty: false }),
  };
  const settings = passkeySettings(options, { name: 'localhost', origin: 'http://localhost:3000' });
  const { toBeCreated, toBeAdded } = await getMigrations(settings);
  await own.close();
  expect(toBeCreated).toEqual([]);
  expect(toBeAdded).toEqual([]);
});
