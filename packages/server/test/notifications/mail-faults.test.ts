import { expect, test } from 'vitest';
import { connectors } from '../../src/connectors/registry.ts';
import { createDatabase } from '../../src/db/database.ts';
import type { Mailer } from '../../src/mail/mailer.ts';
import { createLanguages } from '../../src/messages/languages.ts';
import { createNotificationLoop } from '../../src/notifications/mail-loop.ts';
import { insertUser } from '../../src/users/user-store.ts';
import { createTestDatabase } from '../harness/database.ts';
import { startDatabaseProxy } from '../harness/database-proxy.ts';
import { addAccount } from '../harness/rows.ts';
import { failPost } from './world.ts';

const MINUTE = 60_000;

test.each(['before', 'after'] as const)('cutting the connection %s any statement loses no mail', async (at) => {
  const direct = await createTestDatabase(4);
  const proxy = await startDatabaseProxy(direct.connection);
  const db = createDatabase({ connection: proxy.connection, size: 3 });
  const mails: string[] = [];
  const mailer = {
    async send(_to: string, { text }: { text: string }) {
      mails.push(text);
    },
  } as unknown as Mailer;
  let errors = 0;
  const loop = createNotificationLoop({
    db,
    connectors,
    languages: createLanguages(connectors),
    mailer,
    publicUrl: 'https://reelay.example',
    onSent() {},
    onMailFailed: () => errors++,
    onGivenUp() {},
    onError: () => errors++,
    monotonic: () => 0,
  });
  const pass = () =>
    loop.runOnce().catch(() => {
      errors++;
      return 0;
    });
  /** Fails a post and lets the loop mail it. @returns the number of mails */
  const mailOne = async (name: string) => {
    const user = await insertUser(direct, { email: `${name}@example.org`, name, plan: 'PRO' });
    const account = await addAccount(direct, user?.id ?? '', { platform: 'tiktok', username: name });
    const post = await failPost(direct, user?.id ?? '', [account]);
    for (let minutes = 0; minutes < 8; minutes++) {
      while ((await pass()) > 0);
      await direct.clock.advance(MINUTE);
    }
    const [fact] = await direct.query('select mail from notification where user_id = $1', [user?.id]);
    expect(fact, name).toEqual({ mail: 'sent' });
    return mails.filter((text) => text.includes(post)).length;
  };
  await mailOne('warm');
  proxy.clear();
  expect(await mailOne('undisturbed')).toBe(1);
  const statements = proxy.statements.length;
  expect(statements).toBeGreaterThan(10);

  let repeated = 0;
  for (let index = 0; index < statements; index++) {
    let seen = 0;
    const before = errors;
    const hit = proxy.inject(() => seen++ === index, { at, kind: 'cut' });
    const count = await mailOne(`cut-${index}`);
    const sql = await hit;
    expect(errors, sql).toBeGreaterThan(before);
    expect(count, sql).toBeGreaterThanOrEqual(1);
    expect(count, sql).toBeLessThanOrEqual(2);
    repeated += count - 1;
  }
  // Only between sending and recording.
  expect(repeated).toBeLessThanOrEqual(5);
  await db.close();
  await proxy.close();
  await direct.drop();
});
