-- Notifications: an outbox. Triggers write a row in the transaction of the fact, so none is lost or doubled. The mail is
-- sent afterwards.
create table notification (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references auth."user" (id) on delete cascade,
  kind text not null check (kind in ('post_failed', 'account_reconnect', 'access_ends', 'source_unread')),
  post_id uuid references post (id) on delete cascade,
  account_id uuid not null references account (id) on delete cascade,
  -- Lists show one entry for each subject.
  subject_id uuid not null generated always as (coalesce(post_id, account_id)) stored,
  -- Distinguishes the facts of a subject and an account.
  occurrence text not null,
  -- 'access_ends': when. 'source_unread': since when.
  moment timestamptz,
  at timestamptz not null default app_now(),
  read_at timestamptz,
  -- 'new': not yet assigned to a mail. 'due': part of the user's next mail. 'dropped': no mail was needed.
  mail text not null default 'new' check (mail in ('new', 'due', 'sent', 'dropped')),
  unique (user_id, kind, subject_id, account_id, occurrence)
);
create index notification_new on notification (at) where mail = 'new';
create index notification_due on notification (user_id) where mail = 'due';
create index notification_age on notification (at);
create index notification_post on notification (post_id) where post_id is not null;
create index notification_account on notification (account_id);

-- One row for each user with a mail that is due, or was sent a short time ago. No foreign key: deleting a user need not
-- wait for a mail.
create table notification_mail (
  user_id uuid primary key,
  sent_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  fence bigint not null default 0,
  attempts integer not null default 0
);
create index notification_mail_due on notification_mail (due_at) where due_at is not null;

-- What a user changed; the defaults are in the code.
create table notification_setting (
  user_id uuid not null references auth."user" (id) on delete cascade,
  kind text not null,
  page boolean not null,
  mail boolean not null,
  primary key (user_id, kind)
);

-- The language of mails, and of the dashboard after signing in; null: not chosen.
alter table auth."user" add column language text check (language in ('en', 'de'));

create function notify_target_failed() returns trigger language plpgsql as $$
begin
  insert into notification (user_id, kind, post_id, account_id, occurrence)
    values (new.user_id, 'post_failed', new.post_id, new.account_id, new.version)
    on conflict do nothing;
  return null;
end $$;
-- The condition is evaluated without calling the function.
create trigger target_failed after update on target for each row
  when (new.state = 'failed' and old.state <> 'failed') execute function notify_target_failed();

create function notify_account_ended() returns trigger language plpgsql as $$
begin
  insert into notification (user_id, kind, account_id, occurrence)
    values (new.user_id, 'account_reconnect', new.id,
      coalesce((select id || ' ' || version from access_grant where id = new.grant_id), app_now()::text))
    on conflict do nothing;
  return null;
end $$;
create trigger account_ended after update on account for each row
  when (old.status = 'CONNECTED' and new.status in ('EXPIRED', 'REVOKED')) execute function notify_account_ended();

-- The sources of active rules that the watch reads. An account that is being deleted is left out.
create function notify_watch_failing() returns trigger language plpgsql as $$
begin
  insert into notification (user_id, kind, account_id, occurrence, moment)
    select a.user_id, 'source_unread', a.id, extract(epoch from new.warned_since), new.warned_since
    from identity d join account a on a.identity_id = d.id
    where d.watch_id = new.id and a.status = 'CONNECTED'
      and exists (select from rule r where r.from_account = a.id and not r.is_paused)
    for key share of a skip locked
    on conflict do nothing;
  return null;
end $$;
create trigger watch_failing after update on watch for each row
  when (new.warned_since is distinct from old.warned_since and new.warned_since is not null)
  execute function notify_watch_failing();

-- Equal notifications of one transaction are sent once, so the event names the user.
create function live_notification_changed() returns trigger language plpgsql as $$
declare
  changed record := case when tg_op = 'DELETE' then old else new end;
begin
  perform live_notify(changed.user_id, 'notification', changed.user_id);
  return null;
end $$;
create trigger notification_live after insert on notification for each row execute function live_notification_changed();
create trigger notification_live_update after update on notification for each row
  when (old.read_at is distinct from new.read_at) execute function live_notification_changed();
