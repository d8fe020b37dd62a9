/** The back catalog of a rule: older content of its source that the user selected to be reposted at a daily pace. */
import type { Transaction } from '../db/database.ts';
import { apiError } from '../errors/reelay-error.ts';
import { isUuid } from '../lib/ids.ts';
import { wakeCatalog } from './firing-store.ts';
import type { RuleOptions } from './options/rule-options.ts';

/**
 * Makes the selection of a rule that is locked: its content waits for its turn in the order of the selection, and
 * content that is no longer in it and still waits is removed. What was reposted stays so.
 * @param selected null: nothing
 * @throws ReelayError `invalid_request` naming an item that the source does not have
 */
export async function selectCatalog(
  tx: Transaction,
  ruleId: string,
  selected: RuleOptions['backCatalog'],
): Promise<void> {
  const items = selected?.items ?? [];
  const known = await tx.query<{ id: string }>(
    `select w.id from rule r join account a on a.id = r.from_account
       join watched_post w on w.identity_id = a.identity_id and w.state <> 'new'
     where r.id = $1 and w.id = any($2::uuid[])`,
    [ruleId, items.filter(isUuid)],
  );
  const found = new Set(known.map(({ id }) => id));
  const unknown = items.find((id) => !found.has(id));
  if (unknown !== undefined) throw apiError('catalog_item_unknown', { id: unknown.slice(0, 100) });
  await tx.execute(
    `delete from firing where rule_id = $1 and is_catalog and state = 'waiting'
       and origin_id not in (select origin_id from watched_post where id = any($2::uuid[]))`,
    [ruleId, items],
  );
  await tx.execute(INSERT, [ruleId, items, selected?.order === 'newest']);
  await wakeCatalog(tx, ruleId);
}

/** SQL condition: a firing has content of its own: a post here, what such a post left, or a found post. */
const HAS_SOURCE = `(firing.target_id is null or firing.copy is not null
  or exists (select from target t where t.id = firing.target_id))`;

/**
 * Content that was skipped before is reposted now, since the user selected it. What waits gets its place in the new
 * order. Later ones are due later, so that they are claimed in order. If the entry of a post was removed here, the found
 * post stands for it. Indexes: primary keys, unique key of firing.
 */
const INSERT = `
  insert into firing (rule_id, user_id, origin_id, watched_post_id, is_catalog, created_at, due_at)
  select r.id, r.user_id, w.origin_id, w.id, true, app_now() + w.n * interval '1 millisecond',
    app_now() + w.n * interval '1 millisecond'
  from rule r, (
    select id, origin_id, row_number() over (order by case when $3 then published_at end desc, published_at, id) as n
    from watched_post where id = any($2::uuid[])) w
  where r.id = $1
  on conflict (rule_id, origin_id) do update
    set is_catalog = true, state = 'waiting', reason = null, decided_at = null, due_at = excluded.due_at,
      created_at = excluded.created_at,
      target_id = case when ${HAS_SOURCE} then firing.target_id end,
      watched_post_id = case when ${HAS_SOURCE} then firing.watched_post_id else excluded.watched_post_id end
    where firing.state = 'skipped' or (firing.state = 'waiting' and firing.is_catalog)`;
