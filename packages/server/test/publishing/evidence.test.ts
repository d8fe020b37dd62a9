import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSealer } from '../../src/lib/encryption/seal.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { createEvidenceKeeper, evidenceFiles } from '../../src/publishing/evidence.ts';
import type { Evidence } from '../../src/publishing/evidence-store.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { addAccount, addMedia, addPost } from '../harness/rows.ts';

const sealer = createSealer([randomBytes(32)]);
let db: TestDatabase;
let folder: string;
let userId: string;
let targetId: string;
let told: { file: string; error: unknown }[];

beforeAll(async () => {
  db = await createTestDatabase();
  userId = uuidv7();
  await db.execute(`insert into auth."user" (id, name, email) values ($1, 'Nora', 'nora@example.org')`, [userId]);
});
afterAll(() => db.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-evidence-'));
  told = [];
  const media = await addMedia(db, userId);
  const { targets } = await addPost(db, { userId, mediaId: media.id, accounts: [await addAccount(db, userId)] });
  targetId = targets[0] ?? '';
  await db.execute(
    `update target set state = 'committing', commit_number = 1, committed_at = app_now() where id = $1`,
    [targetId],
  );
});

afterEach(() => rm(folder, { recursive: true }));

function keeper(database: Pick<TestDatabase, 'transaction'> = db) {
  return createEvidenceKeeper({
    db: { ...db, ...database },
    sealer,
    folder,
    fileAfterMs: 0,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    signal: new AbortController().signal,
    onUnreadable: (file, error) => told.push({ file, error }),
  });
}

const posted = (remoteId: string): Evidence => ({
  targetId,
  commitNumber: 1,
  proves: 'posted',
  published: { remoteId, url: null, publishedAt: null },
});
const row = async () => (await db.query<Record<string, unknown>>('select * from target where id = $1', [targetId]))[0];

describe('at startup', () => {
  test('sets unreadable files aside and applies the others', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'random.evidence'), randomBytes(163));
    await evidenceFiles(folder, createSealer([randomBytes(32)])).put('foreign', posted('1'));
    await evidenceFiles(folder, sealer).put('senseless', { ...posted('1'), targetId: 'nobody' });
    await evidenceFiles(folder, sealer).put('good', posted('4711'));
    const evidence = keeper();
    expect(await evidence.readLeftOver()).toBe(1);
    expect(await row()).toMatchObject({ state: 'posted', remote_id: '4711' });
    expect(told.map(({ file }) => file).sort()).toEqual(['foreign', 'random', 'senseless']);
    expect(evidence.unreadable()).toBe(3);
    expect((await readdir(folder)).sort()).toEqual([
      'foreign.evidence.unreadable',
      'random.evidence.unreadable',
      'senseless.evidence.unreadable',
    ]);
  });

  test('applies a set-aside file with the right key', async () => {
    await evidenceFiles(folder, sealer).put('one', posted('4712'));
    const sealed = await readFile(join(folder, 'one.evidence'));
    await writeFile(join(folder, 'one.evidence'), randomBytes(200));
    await keeper().readLeftOver();
    await writeFile(join(folder, 'one.evidence.unreadable'), sealed);
    expect(await keeper().readLeftOver()).toBe(1);
    expect(await row()).toMatchObject({ remote_id: '4712' });
    expect(await readdir(folder)).toEqual([]);
  });

  test('a database failure does not stop it', async () => {
    await evidenceFiles(folder, sealer).put('one', posted('4713'));
    let failures = 2;
    const evidence = keeper({
      transaction: (work) => {
        if (failures-- > 0) return Promise.reject(Object.assign(new Error('disk full'), { code: '53100' }));
        return db.transaction(work);
      },
    });
    expect(await evidence.readLeftOver()).toBe(0);
    while (evidence.pending() > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await row()).toMatchObject({ remote_id: '4713' });
  });
});

describe('text that the database rejects', () => {
  const refusing = `create function refuse_words() returns trigger language plpgsql as $$ begin
    if new.remote_id = 'refused' then raise exception 'refused' using errcode = '22021'; end if; return new; end $$`;
  beforeAll(async () => {
    await db.execute(refusing);
    await db.execute(
      'create trigger refuse_words before update on target for each row execute function refuse_words()',
    );
  });

  test('is dropped and its proof is kept', async () => {
    await keeper().record(posted('refused'));
    expect(await row()).toMatchObject({ state: 'posted', remote_id: null });
    expect(await readdir(folder).catch(() => [])).toEqual([]);
  });

  test('is stored without control characters and within limits', async () => {
    const published = { remoteId: 'a\u0000', url: `https://x.example/${'a'.repeat(9_000)}`, publishedAt: -1e15 };
    await keeper().record({ ...posted(''), proves: 'posted', published: { ...published, detail: 'Good\u0000 news' } });
    const { committed_at: sent, ...found } = (await row()) ?? {};
    expect(found).toMatchObject({ remote_id: null, url: null, detail: 'Good news', published_at: sent });
  });
});
