import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientKey, registrationsOf } from '../../src/accounts/apps/app-store.ts';
import { renewedPairFiles } from '../../src/accounts/tokens/renewed-tokens.ts';
import { channelPurpose } from '../../src/channels/sender.ts';
import { vapidKey } from '../../src/channels/vapid.ts';
import { createSealer } from '../../src/lib/encryption/seal.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { reseal } from '../../src/maintenance/reseal.ts';
import { evidenceFiles, evidenceFolder } from '../../src/publishing/evidence.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { addAccount, addMedia, addPost } from '../harness/rows.ts';

const [former, next, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
let db: TestDatabase;
let folder: string;
beforeAll(async () => {
  db = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'reelay-reseal-'));
});
afterAll(async () => {
  await db.drop();
  await rm(folder, { recursive: true });
});

/** One value of every sealed kind, sealed with the previous key. @returns how each is opened */
async function sealed() {
  const sealer = createSealer([former]);
  const [user] = await db.query<{ id: string }>(`insert into auth."user" (name, email) values ('U', $1) returning id`, [
    `${uuidv7()}@example.org`,
  ]);
  const userId = user?.id ?? '';
  const [grant, consent, channel] = [uuidv7(), uuidv7(), uuidv7()];
  await db.execute(
    `insert into notification_channel (id, user_id, kind, name, host, service, sealed)
     values ($1, $2, 'slack', 'S', 'hooks.slack.com', '', $3)`,
    [channel, userId, sealer.seal({ kind: 'slack', url: 'u' }, channelPurpose(channel))],
  );
  await vapidKey(db, sealer);
  await db.execute(
    `insert into access_grant (id, user_id, platform, service, kind, sandbox, sealed, scopes)
     values ($1, $2, 'toy', '', 'oauth', false, $3, '{}')`,
    [grant, userId, sealer.seal({ token: 't' }, `grant ${grant}`)],
  );
  await db.execute(
    `insert into consent (id, ticket_hash, user_id, platform, sandbox, choices, input, kept, expires_at)
     values ($1, $2, $3, 'toy', false, '{}', '{}', $4, app_now())`,
    [consent, randomBytes(32), userId, sealer.seal({ verifier: 'v' }, `consent ${consent}`)],
  );
  const accounts = [await addAccount(db, userId)];
  const media = await addMedia(db, userId);
  const { targets } = await addPost(db, { userId, mediaId: media.id, accounts });
  const target = targets[0] ?? '';
  await db.execute('update target set checkpoint = $2 where id = $1', [
    target,
    sealer.seal({ step: 1 }, `checkpoint ${target}`),
  ]);
  await registrationsOf({ db, sealer }, 'toy', false).put('https://one.example', { id: 'a' });
  await registrationsOf({ db, sealer }, 'toy', true).put('https://one.example', { id: 'b' });
  await clientKey({ db, sealer });
  const pair = { secret: { token: 't' }, scopes: [], lifeMs: null, refreshLifeMs: null, dueInMs: null };
  await renewedPairFiles(folder, sealer).put('pair', { grantId: grant, version: 1, pair, at: 0 });
  const evidence = evidenceFiles(evidenceFolder(folder), sealer);
  for (const name of ['one', 'aside'])
    await evidence.put(name, { targetId: target, commitNumber: 1, proves: 'void', why: name });
  await evidence.setAside('aside');
  return { grant, consent, channel, target };
}

async function openedBy(keys: readonly Buffer[], ids: Awaited<ReturnType<typeof sealed>>): Promise<unknown[]> {
  const sealer = createSealer(keys);
  const read = async (table: string, column: string, id: string) =>
    (await db.query<{ sealed: Buffer }>(`select ${column} as sealed from ${table} where id = $1`, [id]))[0]?.sealed ??
    Buffer.alloc(0);
  return [
    sealer.open(await read('access_grant', 'sealed', ids.grant), `grant ${ids.grant}`),
    sealer.open(await read('consent', 'kept', ids.consent), `consent ${ids.consent}`),
    sealer.open(await read('target', 'checkpoint', ids.target), `checkpoint ${ids.target}`),
    sealer.open(await read('notification_channel', 'sealed', ids.channel), channelPurpose(ids.channel)),
    (await vapidKey(db, sealer)).publicKey,
    await registrationsOf({ db, sealer }, 'toy', false).get('https://one.example'),
    await registrationsOf({ db, sealer }, 'toy', true).get('https://one.example'),
    (await clientKey({ db, sealer })).kty,
    (await renewedPairFiles(folder, sealer).get('pair'))?.version,
    (await evidenceFiles(evidenceFolder(folder), sealer).readAll()).map(({ aside, value }) => [aside, value?.targetId]),
  ];
}

test('all values of a previous key are resealed once', async () => {
  const ids = await sealed();
  const before = await openedBy([former], ids);
  const done = await reseal(db, createSealer([next, former]), folder);
  expect(done.map(({ renewed, lost }) => [renewed, lost])).toEqual([
    [1, 0],
    [1, 0],
    [1, 0],
    [1, 0],
    [4, 0],
    [2, 0],
    [1, 0],
  ]);
  expect(await openedBy([next], ids)).toEqual(before);
  const again = await reseal(db, createSealer([next, former]), folder);
  expect(again.every(({ renewed, lost }) => renewed === 0 && lost === 0)).toBe(true);
});

test('values that no key opens are counted and kept', async () => {
  const before = await db.query('select id, sealed from access_grant order by id');
  const done = await reseal(db, createSealer([other]), folder);
  expect(done.map(({ lost }) => lost)).toEqual([1, 1, 1, 1, 4, 2, 1]);
  expect(await db.query('select id, sealed from access_grant order by id')).toEqual(before);
});
