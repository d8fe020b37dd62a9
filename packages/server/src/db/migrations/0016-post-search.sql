-- Search over posts. A target carries the date of its post, so that one index has all finished targets of an account in
-- the order of the history.
alter table target add column post_date timestamptz;
update target t set post_date = p.date from post p where p.id = t.post_id;
alter table target alter column post_date set not null;

create function target_post_date() returns trigger language plpgsql as $$
begin
  select date into new.post_date from post where id = new.post_id;
  return new;
end $$;
create trigger target_post_date before insert on target for each row execute function target_post_date();

create function post_date_moved() returns trigger language plpgsql as $$
begin
  update target set post_date = new.date where post_id = new.id;
  return null;
end $$;
create trigger post_date_moved after update of date on post for each row when (old.date <> new.date)
  execute function post_date_moved();

-- Written once per publish: unfinished targets are not in it.
create index target_history on target (account_id, state, post_date desc, post_id desc) where due_at is null;

-- Without the extension, text is searched without an index.
do $$
begin
  create extension if not exists pg_trgm;
  create index post_text on post using gin (description gin_trgm_ops);
exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
  raise notice 'pg_trgm is not available: %', sqlerrm;
end $$;
