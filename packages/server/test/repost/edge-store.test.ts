import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDoubles, wouldCloseCircle } from '../../src/reposts/edge-store.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { closesCircle, type Edge } from './rule-graph.ts';

/** Accounts are numbers here. In the database, an account's id ends in its number. */
const ACCOUNTS = 600;
const idOf = (account: number | string) => `00000000-0000-7000-8000-${String(account).padStart(12, '0')}`;

let db: TestDatabase;
let userId: string;
beforeAll(async () => {
  db = await createTestDatabase(2);
  const [user] = await db.query<{ id: string }>(
    `insert into auth."user" (name, email) values ('U', 'u@example.org') returning id`,
  );
  userId = user?.id ?? '';
  const ids = Array.from({ length: ACCOUNTS }, (_, account) => idOf(account));
  await db.execute(
    `with made as (insert into identity (id, platform, service, remote_id)
       select id, 'tiktok', '', id from unnest($2::uuid[]) as id returning id)
     insert into account (id, user_id, identity_id, platform, username, display_name, status, sandbox, capabilities)
     select id, $1, id, 'tiktok', id, id, 'CONNECTED', true, '{}' from made`,
    [userId, ids],
  );
});
afterAll(() => db.drop());

type Drawn = [from: number, to: number];

/** Replaces all rules: one for each source, every other one paused. */
async function store(drawn: readonly Drawn[]): Promise<Edge[]> {
  await db.execute('delete from rule');
  await db.execute(
    `with source as (
       select source, array_agg(distinct destination) as destinations, uuid_v7() as id
       from unnest($2::uuid[], $3::uuid[]) as e (source, destination) group by source
     ), made as (
       insert into rule (id, user_id, from_account, is_paused)
       select id, $1, source, row_number() over () % 2 = 0 from source)
     insert into rule_destination (rule_id, account_id, position) select id, unnest(destinations), 0 from source`,
    [userId, drawn.map(([from]) => idOf(from)), drawn.map(([, to]) => idOf(to))],
  );
  return drawn.map(([from, to]) => ({ from: String(from), to: String(to) }));
}

/** Compares the database with the reference: reading all edges, and searching few accounts and many. */
async function compare(edges: readonly Edge[], from: number, to: readonly number[]): Promise<void> {
  const expected = closesCircle(edges, String(from), to.map(String));
  const ids = to.map(idOf);
  for (const limit of [0, 1, 100_000, undefined]) {
    const closes = await wouldCloseCircle(db, userId, { from: idOf(from), to: ids }, limit);
    expect(closes, `${from} to ${to}, limit ${limit}`).toBe(expected);
  }
  const double = to.filter((each) => edges.some((edge) => edge.from === `${from}` && edge.to === `${each}`));
  expect((await findDoubles(db, idOf(from), ids)).sort()).toEqual(double.map(idOf).sort());
}

const upTo = (count: number) => fc.integer({ min: 0, max: count - 1 });
/** Rules that lead from lower to higher accounts form no cycle. */
const pairsOf = (count: number) =>
  fc.tuple(upTo(count), upTo(count)).map(([a, b]): Drawn => (a < b ? [a, b] : [b, a + Number(a === b)]));
const sparse = fc.array(pairsOf(12), { maxLength: 12 });
const dense = fc.array(pairsOf(12), { minLength: 30, maxLength: 60 });
const chain = fc.integer({ min: 2, max: 300 }).map((length) => Array.from({ length }, (_, at): Drawn => [at, at + 1]));
/** Every account of a layer leads to every account of the next. */
const layers = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 6 })).map(([width, count]) =>
  Array.from({ length: width * width * count }, (_, at): Drawn => {
    const start = Math.floor(at / (width * width)) * width;
    return [start + (at % width), start + width + (Math.floor(at / width) % width)];
  }),
);
/** All accounts in one cycle except for one missing rule. */
const nearCycle = fc
  .integer({ min: 3, max: 200 })
  .chain((length) =>
    upTo(length).map((missing) =>
      Array.from({ length }, (_, at): Drawn => [at, (at + 1) % length]).filter(([from]) => from !== missing),
    ),
  );

/** A new rule, mostly between accounts that have rules. */
const question = (drawn: readonly Drawn[]) => {
  const used = [...new Set(drawn.flat()), ACCOUNTS - 1];
  const account = fc.constantFrom(...used);
  return fc.tuple(account, fc.uniqueArray(account, { minLength: 1, maxLength: 3 }));
};
const cases = fc
  .oneof(sparse, dense, chain, layers, nearCycle)
  .chain((drawn) => fc.tuple(fc.constant(drawn), fc.array(question(drawn), { minLength: 3, maxLength: 3 })));

test('the database finds the cycles of the reference', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ([drawn, questions]) => {
      const edges = await store(drawn);
      for (const [from, to] of questions) await compare(edges, from, to);
    }),
    { numRuns: 60 },
  );
});

test('the missing rule of a long cycle is refused', async () => {
  const edges = await store(Array.from({ length: ACCOUNTS - 1 }, (_, at): Drawn => [at, at + 1]));
  await compare(edges, ACCOUNTS - 1, [0]);
  await compare(edges, 0, [ACCOUNTS - 1]);
});

test('two long chains can be joined', async () => {
  const half = ACCOUNTS / 2;
  const edges = await store(
    Array.from({ length: ACCOUNTS - 1 }, (_, at): Drawn => [at, at + 1]).filter(([from]) => from !== half - 1),
  );
  await compare(edges, half - 1, [half]);
  await compare(edges, ACCOUNTS - 1, [0]);
});

test('the source among its destinations is a cycle', async () => {
  await compare(await store([]), 3, [4, 3]);
});
