-- A target in trouble is a notification: after its second failure, or at once if its next attempt is minutes away.
alter table notification drop constraint notification_kind_check;
alter table notification add constraint notification_kind_check
  check (kind in ('post_failed', 'post_trouble', 'account_reconnect', 'access_ends', 'source_unread')) not valid;
alter table notification
  -- 'post_trouble': the trouble's code.
  add column cause text,
  -- 'post_trouble': when the trouble ended. It counts as read then.
  add column resolved_at timestamptz;

-- One for each account and cause while it lasts, however many posts it affects.
create unique index notification_trouble on notification (account_id, cause)
  where kind = 'post_trouble' and resolved_at is null;

create function notify_target_troubled() returns trigger language plpgsql as $$
begin
  insert into notification (user_id, kind, post_id, account_id, occurrence, cause, moment)
    values (new.user_id, 'post_trouble', new.post_id, new.account_id, new.version, new.trouble->>'code',
      to_timestamp((new.trouble->>'since')::double precision / 1000))
    on conflict do nothing;
  return null;
end $$;
create trigger target_troubled after update on target for each row
  when (new.trouble is not null and new.due_at is not null and new.trouble is distinct from old.trouble
    and ((new.trouble->>'attempts')::integer > 1
      or extract(epoch from new.due_at) - (new.trouble->>'since')::double precision / 1000 >= 180))
  execute function notify_target_troubled();

create function resolve_target_trouble() returns trigger language plpgsql as $$
begin
  update notification set resolved_at = app_now(), read_at = coalesce(read_at, app_now())
    where post_id = new.post_id and account_id = new.account_id and kind = 'post_trouble' and resolved_at is null;
  return null;
end $$;
create trigger target_recovered after update on target for each row
  when (old.trouble is not null and old.due_at is not null and (new.trouble is null or new.due_at is null))
  execute function resolve_target_trouble();

drop trigger notification_live_update on notification;
create trigger notification_live_update after update on notification for each row
  when (old.read_at is distinct from new.read_at or old.resolved_at is distinct from new.resolved_at)
  execute function live_notification_changed();
