import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectors } from '../../src/connectors/registry.ts';
import type { Database } from '../../src/db/database.ts';
import { createMailer, type Mailer } from '../../src/mail/mailer.ts';
import { createLanguages } from '../../src/messages/languages.ts';
import { say } from '../../src/messages/timeline.ts';
import { noticeEndingAccess } from '../../src/notifications/ending-access.ts';
import { createNotificationLoop, type NotificationDeps } from '../../src/notifications/mail-loop.ts';
import { markRead } from '../../src/notifications/notification-store.ts';
import { writeSetting } from '../../src/notifications/setting-store.ts';
import { deleteUser, suspendUser } from '../../src/users/service.ts';
import { insertUser } from '../../src/users/user-store.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type AccountRow, addAccount, addMedia, addPost } from '../harness/rows.ts';
import { type MailServer, startMailServer } from '../harness/smtp.ts';
import { endAccess, failPost, failTarget, grantFor, retryPost, troubleTarget } from './world.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let db: TestDatabase;
let server: MailServer;
let mailer: Mailer;
let userId: string;
let email: string;
let account: AccountRow;
let failures: { code?: string; responseCode?: number }[];
let givenUp: number;
const errors: unknown[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
  server = await startMailServer();
  mailer = createMailer({ smtpUrl: server.url, from: 'Reelay <reelay@example.org>', requireTls: false });
});
beforeEach(async () => {
  await newUser();
  failures = [];
  givenUp = 0;
});
afterEach(async () => {
  server.refuse(false);
  server.mails.length = 0;
  await deleteUser(db, email).catch(() => {});
  expect(errors.splice(0)).toEqual([]);
});
afterAll(async () => {
  await server.close();
  await db.drop();
});

let count = 0;
async function newUser(): Promise<void> {
  email = `user-${count++}@example.org`;
  userId = (await insertUser(db, { email, name: 'U', plan: 'PRO' }))?.id ?? '';
  account = await addAccount(db, userId, { platform: 'tiktok', username: 'nora' });
}

function loopOn(pool: Database, given: Partial<NotificationDeps> = {}) {
  return createNotificationLoop({
    db: pool,
    connectors,
    languages: createLanguages(connectors),
    mailer,
    publicUrl: 'https://reelay.example',
    onSent() {},
    onMailFailed: (_, error) => failures.push(error as { code?: string }),
    onGivenUp: (_, facts) => {
      givenUp += facts;
    },
    onError: (error) => errors.push(error),
    monotonic: () => 0,
    ...given,
  });
}

/** Runs the loop until nothing is due. */
async function run(given: Partial<NotificationDeps> = {}): Promise<void> {
  const loop = loopOn(db, given);
  while ((await loop.runOnce()) > 0);
}

/** Gathers the facts, and mails them when they are due. */
async function mailed(afterMs = MINUTE): Promise<string[]> {
  await run();
  await db.clock.advance(afterMs);
  await run();
  return server.mails.splice(0).map(({ content }) => content);
}

test('a failed post is mailed with the platform’s words', async () => {
  const id = await failPost(db, userId, [account], {
    description: 'Summer in Rome',
    code: 'video_rejected',
    detail: 'TikTok said: The file is too dark.',
  });
  await run();
  expect(server.mails).toEqual([]);
  await db.clock.advance(MINUTE);
  await run();
  const [mail] = server.mails.splice(0);
  expect(mail?.to).toEqual([email]);
  expect(mail?.content).toContain('\nSubject: A post was not published everywhere\n');
  expect(mail?.content).toContain('Your post “Summer in Rome” failed:\n');
  expect(mail?.content).toContain(
    '- TikTok (Name of nora): The video was rejected. TikTok said: The file is too dark.\n',
  );
  expect(mail?.content).toContain(`https://reelay.example/app/posts/${id}\n`);
  expect(mail?.content).toContain('https://reelay.example/app/settings#notifications');
  expect(await mailed(HOUR)).toEqual([]);
});

test('a mail is in the user’s language', async () => {
  await db.execute(`update auth."user" set language = 'de' where id = $1`, [userId]);
  await endAccess(db, account);
  await failPost(db, userId, [account]);
  const [mail] = await mailed();
  expect(mail).toContain('\nSubject: 2 Benachrichtigungen von Reelay\n');
  expect(mail).toContain('TikTok (Name of nora) muss neu verbunden werden.');
  expect(mail).toContain('Dein Beitrag „ohne Text“ ist fehlgeschlagen:');
  expect(mail).toContain('Welche Benachrichtigungen reelay.example dir per Mail schickt');
});

test('the reason of a failure is in the user’s language', async () => {
  await db.execute(`update auth."user" set language = 'de' where id = $1`, [userId]);
  await failPost(db, userId, [account], { code: 'reconnect_required', reason: say('account_disconnected') });
  await failPost(db, userId, [account], { code: 'outcome_unknown', reason: say('maybe_published'), detail: 'Older.' });
  const [mail] = await mailed();
  expect(mail).toContain('Verbinde es neu und wiederhole dann.');
  expect(mail).not.toContain('is disconnected');
  expect(mail).toContain('veröffentlicht wurde. Older.');
});

describe('a post that is retried', () => {
  const begin = async () => {
    const media = await addMedia(db, userId);
    const { targets } = await addPost(db, { userId, mediaId: media.id, accounts: [account], state: 'working' });
    await troubleTarget(db, targets[0] ?? '', { reason: say('access_refresh_later') });
    return targets[0] ?? '';
  };

  test('is mailed with the reason', async () => {
    await begin();
    const [mail] = await mailed();
    expect(mail).toContain('\nSubject: A post is being retried\n');
    expect(mail).toContain(
      '- TikTok (Name of nora): The platform cannot be used at the moment. The platform did not renew',
    );
    expect(await mailed(HOUR)).toEqual([]);
  });

  test('is not mailed if it recovers first', async () => {
    const target = await begin();
    await run();
    await db.execute(`update target set trouble = null, state = 'working' where id = $1`, [target]);
    expect(await mailed()).toEqual([]);
  });

  test('is mailed as failed if it fails first', async () => {
    const target = await begin();
    await run();
    await failTarget(db, target);
    const [mail] = await mailed();
    expect(mail).toContain('\nSubject: A post was not published everywhere\n');
    expect(mail).not.toContain('retried');
  });
});

describe('a moment', () => {
  const moment = new Date('2030-08-05T22:30:00Z');
  const mailedMoment = async (user: { language: string; zone: string }) => {
    await db.execute('update auth."user" set language = $2, zone = $3 where id = $1', [
      userId,
      user.language,
      user.zone,
    ]);
    await db.execute(
      `insert into notification (user_id, kind, account_id, occurrence, moment) values ($1, 'source_unread', $2, '1', $3)`,
      [userId, account.id, moment],
    );
    return (await mailed())[0];
  };

  test.each([
    ['en', 'UTC', 'August 5, 2030 at 10:30 PM UTC'],
    ['de', 'UTC', '5. August 2030 um 22:30 UTC'],
    ['de', 'Europe/Berlin', '6. August 2030 um 00:30 MESZ'],
    ['en', 'America/New_York', 'August 5, 2030 at 6:30 PM EDT'],
    ['en', 'Asia/Kolkata', 'August 6, 2030 at 4:00 AM GMT+5:30'],
  ])('is written for %s in %s', async (language, zone, text) => {
    expect((await mailedMoment({ language, zone }))?.replace(/[\u202f\u00a0]/g, ' ')).toContain(text);
  });
});

test('text of a post cannot add lines or headers', async () => {
  const description = `Hello\r\nBcc: spy@example.org\n\n-- \nFake ${'x'.repeat(5_000)}`;
  const detail = `no\nSubject: other\u202e${'y'.repeat(5_000)}`;
  await failPost(db, userId, [account], { description, detail });
  const [mail = ''] = await mailed();
  expect(mail).toContain('“Hello Bcc: spy@example.org -- Fake xxx');
  expect(mail).not.toMatch(/^(?:Bcc: spy|Subject: other|Fake)/m);
  expect(mail).not.toContain('\u202e');
  expect(mail.length).toBeLessThan(2_000);
});

test('text of a post is escaped in the HTML part', async () => {
  await failPost(db, userId, [account], { description: '<img src=x>', detail: 'Say "no" & <b>stop</b>' });
  await run();
  await db.clock.advance(MINUTE);
  await run();
  const [{ html } = { html: '' }] = server.mails.splice(0);
  expect(html).toContain('“&#60;img src=x&#62;”');
  expect(html).toContain('Say &#34;no&#34; &#38; &#60;b&#62;stop&#60;/b&#62;');
  expect(html).toContain('>Open in Reelay</a>');
});

test('facts of a minute are one mail, later ones wait', async () => {
  await failPost(db, userId, [account], { description: 'one' });
  await run();
  await db.clock.advance(50 * SECOND);
  await failPost(db, userId, [account], { description: 'two' });
  const first = await mailed(10 * SECOND);
  expect(first).toHaveLength(1);
  expect(first[0]).toContain('“one”');
  expect(first[0]).toContain('“two”');
  for (const description of ['three', 'four', 'five']) {
    await failPost(db, userId, [account], { description });
    expect(await mailed(MINUTE)).toEqual([]);
  }
  const second = await mailed(2 * MINUTE);
  expect(second).toHaveLength(1);
  for (const description of ['three', 'four', 'five']) expect(second[0]).toContain(`“${description}”`);
});

test('a mail lists twenty of many failures', async () => {
  for (let at = 0; at < 23; at++) await failPost(db, userId, [account], { description: `post ${at}` });
  const [mail = ''] = await mailed();
  expect(mail).toContain('\nSubject: 23 Reelay notifications\n');
  expect(mail.match(/Your post “/g)).toHaveLength(20);
  expect(mail).toContain('and 3 more: https://reelay.example/app/');
});

describe('no mail is sent', () => {
  test('about a kind that is turned off', async () => {
    await writeSetting(db, userId, 'post_failed', { mail: false });
    await failPost(db, userId, [account]);
    expect(await mailed()).toEqual([]);
  });

  test('about what was read', async () => {
    await failPost(db, userId, [account]);
    const [row] = await db.query<{ id: string }>('select id from notification where user_id = $1', [userId]);
    await markRead(db, userId, row?.id ?? '');
    expect(await mailed()).toEqual([]);
  });

  test('about what was resolved meanwhile', async () => {
    await retryPost(db, await failPost(db, userId, [account]));
    await endAccess(db, account);
    await db.execute(`update account set status = 'CONNECTED' where id = $1`, [account.id]);
    expect(await mailed()).toEqual([]);
  });

  test('about an access that was renewed meanwhile', async () => {
    await writeSetting(db, userId, 'access_ends', { mail: true });
    account = await addAccount(db, userId, { platform: 'linkedin', username: 'nora' });
    const media = await addMedia(db, userId);
    await addPost(db, { userId, mediaId: media.id, accounts: [account] });
    await db.execute(`update target set due_at = app_now() + interval '10 days' where account_id = $1`, [account.id]);
    await grantFor(db, account, 5);
    await noticeEndingAccess(db, connectors);
    expect((await mailed())[0]).toContain('LinkedIn (Name of nora)');
    await grantFor(db, account, 6);
    expect(await noticeEndingAccess(db, connectors)).toBe(1);
    await grantFor(db, account, 60);
    expect(await mailed(HOUR)).toEqual([]);
  });

  test('to a suspended user', async () => {
    await suspendUser(db, email);
    await failPost(db, userId, [account]);
    expect(await mailed()).toEqual([]);
  });

  test('about a deleted user', async () => {
    await failPost(db, userId, [account]);
    await run();
    await deleteUser(db, email);
    expect(await mailed()).toEqual([]);
    expect(await db.query('select from notification_mail where user_id = $1', [userId])).toEqual([]);
  });

  test('about what happened before mail was set up', async () => {
    await failPost(db, userId, [account]);
    await run({ mailer: null });
    await db.clock.advance(25 * HOUR);
    expect(await mailed()).toEqual([]);
    await endAccess(db, account);
    expect(await mailed()).toHaveLength(1);
  });
});

test('a refused mail is retried with growing pauses', async () => {
  server.refuse(true);
  await failPost(db, userId, [account]);
  await run();
  await db.clock.advance(MINUTE);
  const pauses: number[] = [];
  for (let at = 0, last = 0; failures.length < 8; at += SECOND) {
    const before = failures.length;
    await run();
    if (failures.length > before) {
      pauses.push(at - last);
      last = at;
    }
    await db.clock.advance(SECOND);
  }
  const growing = pauses.slice(1);
  expect(growing).toEqual([...growing].sort((a, b) => a - b));
  expect(growing.at(-1)).toBeGreaterThanOrEqual(64 * SECOND);
  expect(failures[0]?.responseCode).toBe(550);
  server.refuse(false);
  expect(await mailed(HOUR)).toHaveLength(1);
});

test('a mail is abandoned after a day without success', async () => {
  server.refuse(true);
  await failPost(db, userId, [account]);
  await failPost(db, userId, [account]);
  await run();
  for (let hours = 0; hours < 25; hours++) {
    await db.clock.advance(HOUR);
    await run();
  }
  expect(givenUp).toBe(2);
  expect(failures.length).toBeGreaterThan(20);
  server.refuse(false);
  expect(await mailed(HOUR)).toEqual([]);
});

test('two processes send one mail', async () => {
  const [first, second] = [loopOn(db), loopOn(db.another())];
  await Promise.all(Array.from({ length: 6 }, () => failPost(db, userId, [account])));
  for (const minutes of [0, 1, 1]) {
    await db.clock.advance(minutes * MINUTE);
    await Promise.all([first.runOnce(), second.runOnce(), first.runOnce(), second.runOnce()]);
  }
  expect(server.mails.splice(0)).toHaveLength(1);
});

describe('after a crash', () => {
  /** Never returns, as in a process that was killed. */
  const killed = (during: Mailer['send']): Mailer => ({
    ...mailer,
    async send(to, mail) {
      await during(to, mail);
      await new Promise(() => {});
    },
  });
  const crash = async (during: Mailer['send']) => {
    const entered = Promise.withResolvers<void>();
    const loop = loopOn(db, {
      mailer: killed(async (to, mail) => {
        await during(to, mail);
        entered.resolve();
      }),
    });
    await failPost(db, userId, [account]);
    await run();
    await db.clock.advance(MINUTE);
    void loop.runOnce();
    await entered.promise;
    expect(await mailed(MINUTE)).toHaveLength(0);
  };

  test('an unsent mail is sent once', async () => {
    await crash(async () => {});
    expect(await mailed(2 * MINUTE)).toHaveLength(1);
    expect(await mailed(HOUR)).toEqual([]);
  });

  test('a sent mail is repeated at most once', async () => {
    let sent = 0;
    await crash(async () => {
      sent++;
    });
    expect(sent).toBe(1);
    expect(await mailed(2 * MINUTE)).toHaveLength(1);
    expect(await mailed(HOUR)).toEqual([]);
  });
});

/** One step: a number of failures, then time. */
const steps = fc.array(
  fc.record({ facts: fc.integer({ min: 0, max: 3 }), waitMs: fc.integer({ min: 1, max: 8 * MINUTE }) }),
  { minLength: 1, maxLength: 12 },
);

test('each fact is in one mail, within six minutes', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      await newUser();
      const start = (await db.clock.now()).getTime();
      let now = 0;
      const happened = new Map<string, number>();
      const sent: { at: number; posts: string[] }[] = [];
      const recording: Mailer = {
        ...mailer,
        async send(_, { text }) {
          sent.push({ at: now, posts: [...text.matchAll(/posts\/([\w-]+)/g)].map(([, id]) => id ?? '') });
        },
      };
      const tick = async (ms: number) => {
        for (let left = ms; left > 0; left -= 20 * SECOND) {
          const by = Math.min(left, 20 * SECOND);
          now += by;
          await db.clock.advanceTo(new Date(start + now));
          await run({ mailer: recording });
        }
      };
      for (const { facts, waitMs } of history) {
        for (let made = 0; made < facts; made++) happened.set(await failPost(db, userId, [account]), now);
        await tick(waitMs);
      }
      await tick(7 * MINUTE);
      expect(sent.flatMap(({ posts }) => posts).sort()).toEqual([...happened.keys()].sort());
      // Gathering, the pause, and one poll for each. The database's clock also runs by itself.
      for (const { at, posts } of sent)
        for (const id of posts) expect(at - (happened.get(id) ?? 0)).toBeLessThanOrEqual(6 * MINUTE + 40 * SECOND);
      for (const [index, { at }] of sent.entries())
        if (index > 0) expect(at - (sent[index - 1]?.at ?? 0)).toBeGreaterThan(4.5 * MINUTE);
    }),
    { numRuns: 6 },
  );
});
