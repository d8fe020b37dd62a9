-- Live updates: changes are announced by NOTIFY to the processes whose users have an open event stream. Commits with a
-- NOTIFY wait for each other, so nothing is announced for other users.
create unlogged table live_user (
  user_id uuid primary key references auth."user" (id) on delete cascade,
  -- Some process has a stream of this user until then. It renews the row.
  until timestamptz not null
);

create function live_notify(owner uuid, kind text, id uuid) returns void language plpgsql as $$
begin
  if exists (select from live_user where user_id = owner and until > app_now()) then
    perform pg_notify('reelay_live', owner || ' ' || kind || ' ' || id);
  end if;
end $$;

-- Equal notifications of one transaction are sent once.
create function live_changed() returns trigger language plpgsql as $$
declare
  changed record := case when tg_op = 'DELETE' then old else new end;
begin
  if tg_table_name = 'firing' then
    perform live_notify(changed.user_id, 'rule', changed.rule_id);
  elsif tg_table_name = 'rule_destination' then
    perform live_notify(r.user_id, 'rule', r.id) from rule r where r.id = changed.rule_id;
  elsif tg_table_name = 'rendition' then
    perform live_notify(t.user_id, 'post', t.post_id) from target t where t.rendition_id = changed.id;
  else
    perform live_notify(changed.user_id, tg_table_name, changed.id);
  end if;
  return null;
end $$;

-- Every step of publishing writes a target. One function costs half as much as two.
create function live_target_changed() returns trigger language plpgsql as $$
begin
  if exists (select from live_user where user_id = new.user_id and until > app_now()) then
    perform pg_notify('reelay_live', new.user_id || ' post ' || new.post_id);
  end if;
  return null;
end $$;

create trigger post_live after insert or update or delete on post for each row execute function live_changed();
-- A deleted target goes with its post.
create trigger target_live after insert or update on target for each row execute function live_target_changed();
create trigger rendition_live after update of state, progress on rendition for each row
  when ((old.state, old.progress) is distinct from (new.state, new.progress)) execute function live_changed();
create trigger account_live after insert or delete on account for each row execute function live_changed();
create trigger account_live_update after update on account for each row
  when ((old.status, old.username, old.display_name, old.avatar, old.capabilities, old.choices, old.choice_values,
         old.grant_id) is distinct from
        (new.status, new.username, new.display_name, new.avatar, new.capabilities, new.choices, new.choice_values,
         new.grant_id))
  execute function live_changed();
create trigger rule_live after insert or update or delete on rule for each row execute function live_changed();
create trigger rule_destination_live after insert or update or delete on rule_destination for each row
  execute function live_changed();
create trigger firing_live after insert on firing for each row execute function live_changed();
create trigger firing_live_update after update on firing for each row
  when ((old.state, old.reason, old.post_id, old.due_at) is distinct from
        (new.state, new.reason, new.post_id, new.due_at))
  execute function live_changed();

-- Sign-in connects with another search path.
create function live_session_ended() returns trigger language plpgsql set search_path from current as $$
begin
  perform live_notify(old.user_id, 'session', old.id);
  return null;
end $$;
create trigger session_live after delete on auth.session for each row execute function live_session_ended();
