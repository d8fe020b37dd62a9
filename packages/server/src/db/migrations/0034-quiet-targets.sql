-- Whether the target waits for the quiet hours of its rule: reposts do, unless their user asked for them or retries them.
alter table target add column obeys_quiet_hours boolean not null default false;
alter table target disable trigger user;
update target t set obeys_quiet_hours = true
  from post p
  where p.id = t.post_id and p.is_repost and p.rule_id is not null and t.due_at is not null
    and not exists (select from firing f where f.post_id = p.id and f.by_hand);
alter table target enable trigger user;
