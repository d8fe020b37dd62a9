import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Mailer } from '../../src/mail/mailer.ts';
import { createSecurityMailLoop } from '../../src/users/security-mail-loop.ts';
import { queueSecurityMail, sweepSecurityMails } from '../../src/users/security-mail-store.ts';
import { deleteUser, suspendUser } from '../../src/users/service.ts';
import { insertUser } from '../../src/users/user-store.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let db: TestDatabase;
let refuses = false;
const sent: { to: string; subject: string; text: string }[] = [];
const failed: (string | null)[] = [];
const givenUp: string[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(async () => {
  refuses = false;
  for (const list of [sent, failed, givenUp]) list.length = 0;
  await db.execute('delete from security_mail');
});
afterAll(() => db.drop());

const mailer = {
  async send(to: string, mail: { subject: string; text: string }) {
    if (refuses) throw new Error('421 try again later');
    sent.push({ to, ...mail });
  },
} as unknown as Mailer;

const loopWith = (given: Mailer | null) =>
  createSecurityMailLoop({
    db,
    mailer: given,
    publicUrl: 'https://reelay.example',
    onFailed: (userId) => failed.push(userId),
    onGivenUp: (userId, name) => givenUp.push(`${userId} ${name}`),
    onError(error) {
      throw error;
    },
  });

let users = 0;
async function newUser(language: 'en' | 'de' | null = null) {
  const email = `mailed-${++users}@example.org`;
  const { id = '' } = (await insertUser(db, { email, name: email, plan: 'PRO' })) ?? {};
  await db.execute('update auth."user" set language = $2 where id = $1', [id, language]);
  return { id, email };
}

describe('a security mail', () => {
  test('is sent once, in the language of the user', async () => {
    const user = await newUser('de');
    await queueSecurityMail(db, user.id, { name: 'api_key_created', params: { key: 'rly_12345678' } });
    await Promise.all([loopWith(mailer).runOnce(), loopWith(mailer).runOnce()]);
    expect(await loopWith(mailer).runOnce()).toBe(0);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ to: user.email, text: expect.stringContaining('beginnt mit rly_12345678') });
    expect(sent[0]?.text).toContain(`${user.email} auf reelay.example`);
  });

  test('that the server refuses is sent later', async () => {
    const user = await newUser();
    refuses = true;
    await queueSecurityMail(db, user.id, { name: 'passkey_added', params: {} });
    for (let minutes = 0; minutes < 5; minutes++) {
      await loopWith(mailer).runOnce();
      await db.clock.advance(MINUTE);
    }
    expect(failed.length).toBeGreaterThan(3);
    expect(sent).toEqual([]);
    refuses = false;
    await db.clock.advance(60 * MINUTE);
    await loopWith(mailer).runOnce();
    expect(sent.map(({ to }) => to)).toEqual([user.email]);
  });

  test('is given up after a day, and then deleted', async () => {
    const user = await newUser();
    await queueSecurityMail(db, user.id, { name: 'passkey_added', params: {} });
    expect(await loopWith(null).runOnce()).toBe(0);
    await db.clock.advance(DAY + MINUTE);
    await loopWith(mailer).runOnce();
    expect([sent, givenUp]).toEqual([[], [`${user.id} passkey_added`]]);
    await db.clock.advance(DAY);
    expect(await sweepSecurityMails(db)).toBe(1);
  });

  test('does not reach a suspended user', async () => {
    const user = await newUser();
    await queueSecurityMail(db, user.id, { name: 'passkey_added', params: {} });
    await suspendUser(db, user.email);
    expect(await loopWith(mailer).runOnce()).toBe(1);
    expect(await loopWith(mailer).runOnce()).toBe(0);
    expect(sent).toEqual([]);
  });

  test('about a deletion outlives the user, and leaves no address', async () => {
    const user = await newUser('de');
    await deleteUser(db, user.email);
    refuses = true;
    await loopWith(mailer).runOnce();
    expect(failed).toEqual([null]);
    refuses = false;
    await db.clock.advance(MINUTE);
    await loopWith(mailer).runOnce();
    expect(sent).toMatchObject([{ to: user.email, subject: 'Dein Reelay-Konto wurde gelöscht' }]);
    expect(sent[0]?.text).toContain(`${user.email} auf reelay.example`);
    expect(await db.query('select from security_mail')).toEqual([]);
  });

  test('about a deletion is given up with its address', async () => {
    await deleteUser(db, (await newUser()).email);
    await db.clock.advance(DAY + MINUTE);
    await loopWith(mailer).runOnce();
    expect([sent, givenUp]).toEqual([[], ['null user_deleted']]);
    expect(await db.query('select from security_mail')).toEqual([]);
  });

  test('about a deletion does not reach a suspended user', async () => {
    const user = await newUser();
    await suspendUser(db, user.email);
    await deleteUser(db, user.email);
    expect(await db.query('select from security_mail')).toEqual([]);
  });

  test('of a kind is queued ten times an hour', async () => {
    const user = await newUser();
    const queue = async (name: 'passkey_added' | 'second_factor_disabled') => {
      for (let count = 0; count < 12; count++) await queueSecurityMail(db, user.id, { name, params: {} });
    };
    const count = async () => (await db.query('select from security_mail')).length;
    await queue('passkey_added');
    expect(await count()).toBe(10);
    await queue('second_factor_disabled');
    expect(await count()).toBe(20);
    await db.clock.advance(61 * MINUTE);
    await queue('passkey_added');
    expect(await count()).toBe(30);
  });

  test('is not queued if its event is rolled back', async () => {
    const user = await newUser();
    const failing = db.transaction(async (tx) => {
      await queueSecurityMail(tx, user.id, { name: 'passkey_added', params: {} });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await loopWith(mailer).runOnce()).toBe(0);
  });
});
