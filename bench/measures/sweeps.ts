/** Measures repeated statements of maintenance and watching, and the activity, with a million firings and 200,000 videos. */
import { connectors } from '../../packages/server/src/connectors/registry.ts';
import type { Database } from '../../packages/server/src/db/database.ts';
import { microsOf, type Position } from '../../packages/server/src/errors/cursor.ts';
import { sweepOldVideos, sweepOrphans } from '../../packages/server/src/maintenance/media.ts';
import { sweepActivity } from '../../packages/server/src/maintenance/rows.ts';
import type { MaintenanceDeps } from '../../packages/server/src/maintenance/types.ts';
import { NEEDED_BY_RULE } from '../../packages/server/src/media/media-store.ts';
import { sweepRenditions } from '../../packages/server/src/media/rendition/rendition-store.ts';
import { readActivity } from '../../packages/server/src/reposts/activity-store.ts';
import { dueFirings } from '../../packages/server/src/reposts/firing-store.ts';
import { readPending } from '../../packages/server/src/reposts/pending-store.ts';
import { dueWatches, startWatches } from '../../packages/server/src/watching/watch-store.ts';
import { startDatabase } from '../kit/database.ts';
import { type Finding, median, milliseconds, say } from '../kit/figures.ts';
import { withCleanUp, withFolder } from '../kit/folder.ts';
import { explaining } from '../kit/plans.ts';
import { type Account, addUsers } from '../kit/rows.ts';
import { addAccounts, addRules } from '../kit/rules.ts';

const USERS = 100;
const RETENTION_DAYS = 30;
/** Tables that no statement may read as a whole, unless it is marked. Source files are as few as those that are kept. */
const LARGE = ['firing', 'media', 'post', 'target', 'watched_post', 'placement', 'rule', 'identity'];

interface Size {
  firings: number;
  /** Firings of one more rule. */
  ofRule: number;
  media: number;
  rules: number;
  sources: number;
}

interface Work {
  name: string;
  run(db: Database): Promise<unknown>;
  /** Tables that it must read as a whole. */
  mayScan?: readonly string[];
}

export async function sweeps({ quick }: { quick: boolean }): Promise<Finding[]> {
  const size: Size = quick
    ? { firings: 50_000, ofRule: 5_000, media: 10_000, rules: 1_000, sources: 500 }
    : { firings: 1_000_000, ofRule: 100_000, media: 200_000, rules: 10_000, sources: 5_000 };
  return withFolder((folder) =>
    withCleanUp(async (later) => {
      const { db, close } = await startDatabase(folder);
      later(close);
      // Filling takes longer than a statement of the service may.
      await fill(db.within(1_200_000), size);
      const long = await addLongActivity(db.within(1_200_000), size.ofRule);
      await db.execute('vacuum analyze').catch(() => {});
      const [first] = await startingAll(db, size);
      const works = [...worksOf(await sampleOf(db)), ...activityWorks(long)];
      const findings: Finding[] = first ? [first] : [];
      for (const work of works) findings.push(await measured(db, work, quick ? 3 : 7, size));
      return findings;
    }),
  );
}

function worksOf(sample: readonly string[]): Work[] {
  const maintenance = (run: (deps: MaintenanceDeps) => Promise<number>) => (db: Database) =>
    run({ db, retentionDays: RETENTION_DAYS, storage: undefined as never, onError() {} });
  return [
    {
      name: 'which of 200 videos rules still need',
      run: (db) => db.query(`select id from media m where id = any($1::uuid[]) and ${NEEDED_BY_RULE}`, [sample]),
    },
    { name: 'sweep of old videos', run: maintenance(sweepOldVideos) },
    { name: 'sweep of orphans', run: maintenance(sweepOrphans), mayScan: ['media', 'post'] },
    { name: 'sweep of renditions', run: (db) => sweepRenditions(db) },
    { name: 'sweep of the activity', run: (db) => sweepActivity(db) },
    { name: 'start of watches, all watched', run: (db) => startWatches(db, connectors), mayScan: ['rule', 'identity'] },
    { name: 'claim of due firings, none due', run: (db) => dueFirings.claim(db, { limit: 8, leaseMs: 1 }) },
    { name: 'claim of due watches, none due', run: (db) => dueWatches.claim(db, { limit: 16, leaseMs: 1 }) },
  ];
}

/** The rule with the most firings, and the cursor of its middle. */
interface LongActivity {
  ruleId: string;
  count: number;
  middle: Position;
}

/** Pages of 50 items, the maximum; one more row tells whether another page follows. */
function activityWorks({ ruleId, count: firings, middle }: LongActivity): Work[] {
  const page = (after: Position | null) => async (db: Database) => {
    const rows = await readActivity(db, { id: ruleId, fit: '' }, { after, id: null, limit: 51 });
    if (!after) await readPending(db, ruleId, 10);
    if (rows.length !== 51) throw new Error(`The page has ${rows.length} items.`);
  };
  return [
    { name: `first page of the activity of a rule with ${count(firings)} firings`, run: page(null) },
    { name: `middle page of the activity of a rule with ${count(firings)} firings`, run: page(middle) },
  ];
}

async function startingAll(db: Database, { rules, sources }: Size): Promise<Finding[]> {
  const began = performance.now();
  await startWatches(db, connectors);
  const ms = performance.now() - began;
  await db.execute(`update watch set due_at = app_now() + interval '10 minutes'`);
  await db.execute('vacuum analyze watch');
  return [
    {
      what: `start of watches of ${count(sources)} accounts with ${count(rules)} rules, none watched yet`,
      figure: milliseconds(ms),
    },
  ];
}

async function measured(db: Database, { name, run, mayScan = [] }: Work, rounds: number, size: Size): Promise<Finding> {
  const taken: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    await run(db);
    taken.push(performance.now() - began);
  }
  const { db: explained, scanned, indexes } = explaining(db);
  await run(explained);
  const whole = LARGE.filter((table) => scanned.has(table));
  const unexpected = whole.filter((table) => !mayScan.includes(table));
  say(`${name}: ${taken.map(milliseconds).join(', ')}; indexes ${[...indexes].sort().join(', ')}`);
  const [first, ...later] = taken;
  return {
    what: `${name}, with ${count(size.firings)} firings and ${count(size.media)} videos`,
    figure: `${milliseconds(median(later))} (first ${milliseconds(first ?? 0)})${whole.length > 0 ? `; reads all of ${whole.join(', ')}` : ''}`,
    goal: mayScan.length > 0 ? `others than ${mayScan.join(', ')} by indexes` : 'by indexes',
    met: unexpected.length === 0,
  };
}

const count = (value: number) => value.toLocaleString('en');

/** Ids of videos of every kind. */
async function sampleOf(db: Database): Promise<string[]> {
  const rows = await db.query<{ id: string }>(`select id from media where state = 'stored' order by id limit 200`);
  return rows.map(({ id }) => id);
}

/**
 * Half of the firings are about posts of ours, half about posts made elsewhere. They are 0 to 90 days old, so that the
 * sweeps find little, as every hour in a running service. Videos beyond the retention period are gone. One firing in a
 * thousand waits.
 */
async function fill(db: Database, { firings, media, rules, sources }: Size): Promise<void> {
  const users = await addUsers(db, USERS);
  const accounts: Account[] = [];
  for (const userId of users) accounts.push(...(await addAccounts(db, userId, (sources / USERS) * 2)));
  const ofUser = Map.groupBy(accounts, ({ userId }) => userId);
  const from = [...ofUser.values()].flatMap((own) => own.slice(0, own.length / 2));
  const made = Array.from({ length: rules }, (_, at) => {
    const source = from[at % from.length] as Account;
    const own = ofUser.get(source.userId) ?? [];
    return { from: source, to: [own[own.length / 2 + Math.floor(at / from.length)] as Account] };
  });
  const ids = await addRules(db, made);
  say(`${count(rules)} rules of ${count(from.length)} accounts`);
  // Each rule has as many firings; `n` counts the items of its source.
  const perSource = Math.round(firings / 2 / (rules / from.length) / from.length);
  await db.execute('create table bench_source (place integer primary key, account uuid, identity uuid, owner uuid)');
  await db.execute(
    `insert into bench_source select place - 1, a, i, o
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as g (a, i, o, place)`,
    [from.map(({ id }) => id), from.map(({ identityId }) => identityId), from.map(({ userId }) => userId)],
  );
  await db.execute(
    `create table bench_post as select s.*, uuid_v7() as post, uuid_v7() as target, uuid_v7() as watched, 0::bigint as m,
       app_now() - (n + random()) * (interval '89 days' / $1) as at
     from bench_source s, generate_series(0, $1 - 1) n`,
    [perSource],
  );
  // A video has several posts if there are fewer videos.
  await db.execute(
    `update bench_post b set m = g.m from (
       select post, (row_number() over (order by owner, post) - 1) * $1 / count(*) over () as m from bench_post) g
     where g.post = b.post`,
    [media],
  );
  await db.execute(
    `create table bench_media as select m, min(owner::text)::uuid as owner, max(at) as at, uuid_v7() as id from bench_post group by m`,
  );
  await db.execute(
    `insert into media (id, user_id, storage_key, thumbnail, bytes, sha256, facts, state, created_at)
     select id, owner, 'videos/' || id, id || '.jpg', 1, '\\x00', '{"durationMs": 5000}',
       case when at < app_now() - ${RETENTION_DAYS} * interval '1 day' then 'gone' else 'stored' end, at from bench_media`,
  );
  await db.execute(
    `insert into post (id, user_id, origin_id, media_id, description, preview_time_ms, scheduled, date, created_at)
     select b.post, b.owner, b.post, m.id, 'A post with a description of an ordinary length.', 0, false, b.at, b.at
     from bench_post b join bench_media m on m.m = b.m`,
  );
  await db.execute(
    `insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, counts_from,
       published_at, settled_at, remote_id)
     select target, post, owner, account, identity, post, 0, 'posted', at, at, at, target::text from bench_post`,
  );
  say('videos, posts and targets');
  await db.execute(
    `insert into watched_post (id, identity_id, remote_id, found_at, published_at, text, is_public, state, origin_id, due_at)
     select watched, identity, watched::text, at, at, 'A post with a description of an ordinary length.', true, 'foreign',
       watched, null from bench_post`,
  );
  await db.execute(
    `insert into source_file (watched_post_id, user_id, fit, media_id, state, due_at)
     select b.watched, b.owner, '', m.id, 'stored', null from bench_post b join bench_media m on m.m = b.m
     where b.at > app_now() - interval '30 days' and b.place % 10 = 0`,
  );
  await db.execute('analyze');
  for (const [column, id, origin] of [
    ['target_id', 'target', 'post'],
    ['watched_post_id', 'watched', 'watched'],
  ])
    await db.execute(
      `insert into firing (rule_id, user_id, origin_id, ${column}, state, created_at, decided_at, due_at)
       select r.id, r.user_id, b.${origin}, b.${id}, s.state, b.at, case when s.state = 'waiting' then null else b.at end, null
       from rule r join bench_post b on b.account = r.from_account
         cross join lateral (select case when b.at > app_now() - interval '1 day' and hashtext(b.post::text) % 10 = 0
           then 'waiting' when hashtext(b.post::text) % 3 = 0 then 'skipped' else 'reposted' end as state) s
       where r.id = any($1::uuid[])`,
      [ids],
    );
  const [rows] = await db.query<{ firings: number; media: number; waiting: number }>(
    `select (select count(*) from firing) as firings, (select count(*) from media) as media,
       (select count(*) from firing where state = 'waiting') as waiting`,
  );
  say(`${rows?.firings} firings (${rows?.waiting} waiting) and ${rows?.media} videos`);
  await db.execute('drop table bench_source, bench_post, bench_media');
}

/**
 * Adds a rule with as many firings: a third about posts made through the service, the others about posts made elsewhere.
 * Half were reposted, and those reposts exist.
 */
async function addLongActivity(db: Database, firings: number): Promise<LongActivity> {
  const [userId = ''] = await addUsers(db, 1);
  const [from, to] = (await addAccounts(db, userId, 2)) as [Account, Account];
  const [ruleId = ''] = await addRules(db, [{ from, to: [to] }]);
  await db.execute(
    `create table bench_item as select uuid_v7() as id, uuid_v7() as media, uuid_v7() as post, uuid_v7() as repost,
       n % 2 = 0 as made, n % 3 = 0 as own, app_now() - n * interval '89 days' / $1 as at
     from generate_series(1, $1::integer) n`,
    [firings],
  );
  const text = `'A post with a description of an ordinary length.'`;
  await db.execute(
    `insert into media (id, user_id, storage_key, thumbnail, bytes, sha256, facts, state, created_at)
     select media, $1, 'videos/' || media, media || '.jpg', 1, '\\x00', '{"durationMs": 5000}',
       case when at < app_now() - ${RETENTION_DAYS} * interval '1 day' then 'gone' else 'stored' end, at
     from bench_item where made or own`,
    [userId],
  );
  await db.execute(
    `insert into watched_post (id, identity_id, remote_id, found_at, published_at, text, is_public, state, origin_id, due_at)
     select id, $1, id::text, at, at, ${text}, true, 'foreign', id, null from bench_item where not own`,
    [from.identityId],
  );
  await db.execute(
    `insert into source_file (watched_post_id, user_id, fit, media_id, state, due_at)
     select id, $1, '', media, 'stored', null from bench_item where made and not own`,
    [userId],
  );
  for (const [post, condition, account, target, rule] of [
    ['post', 'own', from, 'id', null],
    ['repost', 'made', to, 'repost', ruleId],
  ] as const) {
    await db.execute(
      `insert into post (id, user_id, origin_id, media_id, description, preview_time_ms, scheduled, date, created_at, rule_id)
       select ${post}, $1, id, media, ${text}, 0, false, at, at, $2 from bench_item where ${condition}`,
      [userId, rule],
    );
    await db.execute(
      `insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, counts_from,
         published_at, settled_at, remote_id)
       select ${target}, ${post}, $1, $2, $3, id, 0, 'posted', at, at, at, ${target}::text from bench_item where ${condition}`,
      [userId, account.id, account.identityId],
    );
    await db.execute(
      `insert into placement (origin_id, identity_id, target_id, user_id, remote_id, duration_ms, normal_text, published_at)
       select id, $1, ${target}, $2, ${target}::text, 5000, ${text}, at from bench_item where ${condition}`,
      [account.identityId, userId],
    );
  }
  await db.execute(
    `insert into firing (rule_id, user_id, origin_id, target_id, watched_post_id, state, created_at, decided_at, due_at,
       post_id, reason)
     select $1, $2, id, case when own then id end, case when not own then id end,
       case when made then 'reposted' else 'skipped' end, at, at, null, case when made then repost end,
       case when not made then '{"code": "already_there", "params": {}}'::jsonb end
     from bench_item`,
    [ruleId, userId],
  );
  await db.execute('drop table bench_item');
  const [middle] = await db.query<Position>(
    `select id, ${microsOf('created_at')} as micros from firing where rule_id = $1
     order by created_at desc, id desc offset $2 limit 1`,
    [ruleId, Math.floor(firings / 2)],
  );
  if (!middle) throw new Error('The rule has no firings.');
  return { ruleId, count: firings, middle };
}
