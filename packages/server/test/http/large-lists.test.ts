import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '../../src/lib/time.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';
import { addWorstUser, type WorstUser } from '../harness/worst-user.ts';

const RULES = 23;

let service: TestService;
let session: SessionUser;
let user: WorstUser;
beforeAll(async () => {
  service = await startService({ config: { role: 'api', sandbox: false } });
  session = await service.newSession();
  user = await addWorstUser(service.db, { userId: session.userId, rules: RULES });
});
afterAll(() => service.close());

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

test.each([
  ['/dashboard/posts', 'select id from post where user_id = $1 order by date desc, id desc', {}],
  [
    '/dashboard/calendar',
    'select id from post where user_id = $1 order by date desc, id desc',
    { startTime: Date.now() - 200 * DAY, endTime: Date.now() + 199 * DAY },
  ],
])('pages of %s are small, and complete together', async (path, sql, query) => {
  const found: string[] = [];
  for (let cursor = ''; ; ) {
    const { body, bytes } = await session.get(path, { limit: 100, ...query, ...(cursor ? { cursor } : {}) });
    expect(bytes.length).toBeLessThan(1_500_000);
    found.push(...ids(body.data));
    cursor = body.next;
    if (!cursor) break;
  }
  expect(found).toEqual(ids(await service.db.query<{ id: string }>(sql, [user.userId])));
});

test('more rules than one statement reads are listed in order', async () => {
  const { body } = await session.get('/reposts');
  const sql = 'select id from rule where user_id = $1 order by created_at desc, id desc';
  expect(ids(body.data)).toEqual(ids(await service.db.query<{ id: string }>(sql, [user.userId])));
  expect(body.data).toHaveLength(RULES);
});
