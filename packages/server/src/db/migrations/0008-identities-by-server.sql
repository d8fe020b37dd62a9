-- A server that a user names has no authority over ids of the platform. Telegram channels that were connected through such
-- a server shared the identity of the real channel; they get one of their own, and take along what is theirs.
create temporary table moved on commit drop as
  select a.id as account_id, a.user_id, a.identity_id as old_id, i.remote_id,
    substring(a.service from '^https?://[^/]+') as origin, null::uuid as new_id
  from account a join identity i on i.id = a.identity_id
  where a.platform = 'telegram' and not a.sandbox and i.service = ''
    and a.service not in ('', 'https://api.telegram.org');
select 1 from lane where identity_id in (select old_id from moved) order by identity_id for update;

insert into identity (platform, service, remote_id)
  select distinct 'telegram', origin, remote_id from moved on conflict do nothing;
update moved m set new_id = i.id from identity i
  where i.platform = 'telegram' and i.service = m.origin and i.remote_id = m.remote_id;

-- A lane under lease stays closed until the lease is over: whoever held it may still be at work.
insert into lane (identity_id, user_id, lease_until, worker_id, fence, in_hand)
  select distinct on (m.new_id) m.new_id, m.user_id, l.lease_until, l.worker_id, l.fence,
    (select t.id from target t where t.id = l.in_hand and t.account_id = m.account_id)
  from moved m join lane l on l.identity_id = m.old_id order by m.new_id, 6 nulls last
  on conflict do nothing;

update account a set identity_id = m.new_id from moved m where a.id = m.account_id;
update target t set identity_id = m.new_id from moved m where t.account_id = m.account_id;
update placement p set identity_id = t.identity_id
  from target t join moved m on m.account_id = t.account_id where p.target_id = t.id;
-- Placements whose post was deleted name no account. Any of them may be a claim of the foreign server, so none stays where it
-- would stand in the way of the real channel's posts.
update placement p set identity_id = m.new_id
  from (select distinct on (old_id) old_id, new_id from moved order by old_id, new_id) m
  where p.identity_id = m.old_id and not exists (select from target t where t.id = p.target_id);

update lane l set in_hand = null
  where l.identity_id in (select old_id from moved)
    and exists (select from target t where t.id = l.in_hand and t.identity_id <> l.identity_id);
update lane l set user_id = a.user_id
  from account a where a.identity_id = l.identity_id and l.identity_id in (select old_id from moved)
    and not exists (select from account b where b.identity_id = l.identity_id and b.user_id = l.user_id);
update lane l set next_due_at = (select min(t.due_at) from target t where t.identity_id = l.identity_id and t.due_at is not null)
  where l.identity_id in (select old_id from moved union select new_id from moved);

-- Who closed a common budget is not known: the platform says so again if it was the platform.
update budget b set closed_until = null from moved m where starts_with(b.key, 'telegram ' || m.old_id || ' ');

-- From now on an account on a server that its user named is counted alone.
create temporary table counted on commit drop as
  select b.key as old_key, replace(b.key, a.identity_id::text, a.id::text) as new_key, b.closed_until
  from account a join budget b on starts_with(b.key, a.platform || ' ' || a.identity_id || ' ')
  where not a.sandbox and a.service <> '';
insert into budget (key, closed_until) select new_key, closed_until from counted on conflict do nothing;
insert into budget_use (key, at) select c.new_key, u.at from counted c join budget_use u on u.key = c.old_key;
