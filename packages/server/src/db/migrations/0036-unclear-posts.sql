-- A post that may be one of ours, although nothing identifies it. Found posts are deleted after 90 days; the ledger is not.
alter table placement add column is_unclear boolean not null default false;
update placement p set is_unclear = true from watched_post w
  where w.state = 'echo' and p.identity_id = w.identity_id and p.remote_id = w.remote_id and p.target_id is null;
