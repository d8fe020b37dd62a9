-- Time: every statement reads the clock through app_now(), which tests replace to move it.
-- statement_timestamp() is stable within a statement, so indexes on times can be used with it.
create function app_now() returns timestamptz language sql stable parallel safe as $$ select statement_timestamp() $$;

-- UUIDv7 (RFC 9562): 48 bits of milliseconds, then random bits. PostgreSQL 18 has its own; 15 to 17 have not.
create function uuid_v7() returns uuid language sql volatile as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$$;

-- Users and sign-in: the tables of better-auth, with our columns on "user".
create schema auth;

create table auth."user" (
  id uuid primary key default uuid_v7(),
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  plan text not null default 'PRO',
  zone text not null default 'UTC',
  late text not null default 'post' check (late in ('post', 'skip')),
  operator boolean not null default false,
  suspended boolean not null default false
);

-- The first user, however made, is the operator. The lock makes "first" true for any number of sign-ups at once; the
-- connections of sign-up say by a setting that they are open to the first user only.
create function auth.first_user() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7305003);
  if not exists (select from auth."user") then
    new.operator := true;
  elsif current_setting('reelay.first_user_only', true) = 'on' then
    raise exception 'sign-up is closed' using errcode = 'RL001';
  end if;
  return new;
end $$;
create trigger first_user before insert on auth."user" for each row execute function auth.first_user();

create table auth.session (
  id uuid primary key default uuid_v7(),
  expires_at timestamptz not null,
  token text not null unique,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  ip_address text,
  user_agent text,
  user_id uuid not null references auth."user" (id) on delete cascade
);
create index session_by_user on auth.session (user_id);

create table auth.account (
  id uuid primary key default uuid_v7(),
  account_id text not null,
  provider_id text not null,
  user_id uuid not null references auth."user" (id) on delete cascade,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
create index account_by_user on auth.account (user_id);

create table auth.verification (
  id uuid primary key default uuid_v7(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
create index verification_identifier on auth.verification (identifier);

-- One row: who this installation is, and a counter that only rises; copies in DATA_DIR and the storage tell a rewound
-- database from an honest one.
create table installation (
  singleton boolean primary key default true check (singleton),
  id uuid not null default uuid_v7(),
  created_at timestamptz not null default app_now(),
  counter bigint not null default 0,
  system_identifier text,
  timeline_id integer
);
insert into installation default values;

create table api_key (
  user_id uuid primary key references auth."user" (id) on delete cascade,
  hash bytea not null unique,
  prefix text not null,
  is_active boolean not null default true,
  created_at timestamptz not null default app_now(),
  last_used_at timestamptz
);

-- Sliding windows: the last n moments. Unlogged: a crash may forget them.
create unlogged table rate (
  key text primary key,
  moments timestamptz[] not null,
  -- Whether the latest attempt was let through.
  allowed boolean not null,
  expires_at timestamptz not null
);
create index rate_expiry on rate (expires_at);

create table usage (
  user_id uuid not null references auth."user" (id) on delete cascade,
  month date not null,
  posts integer not null,
  primary key (user_id, month)
);

-- Entries in the history, counted in the transactions that write them.
create table user_counter (
  user_id uuid primary key references auth."user" (id) on delete cascade,
  posts bigint not null default 0
);

-- An account at a platform as the platform knows it; users who connect the same one share it.
create table identity (
  id uuid primary key default uuid_v7(),
  platform text not null,
  service text not null,
  remote_id text not null,
  created_at timestamptz not null default app_now(),
  unique (platform, service, remote_id)
);

-- By a lane at most one worker at a time acts on an identity. The fence only grows.
create table lane (
  identity_id uuid primary key references identity (id) on delete cascade,
  user_id uuid not null,
  next_due_at timestamptz,
  lease_until timestamptz,
  worker_id uuid,
  fence bigint not null default 0,
  in_hand uuid
);
create index lane_due on lane (next_due_at) where next_due_at is not null;
create index lane_worker on lane (worker_id) where lease_until is not null;

create table worker (
  id uuid primary key,
  boot_id text not null,
  pid_namespace text not null,
  pid integer not null,
  process_start text not null,
  started_at timestamptz not null default app_now(),
  heartbeat_at timestamptz not null default app_now(),
  stopped_at timestamptz
);

-- One consent or login, sealed.
create table access_grant (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references auth."user" (id) on delete cascade,
  platform text not null,
  service text not null,
  kind text not null check (kind in ('oauth', 'credentials')),
  sandbox boolean not null,
  sealed bytea not null,
  scopes text[] not null,
  expires_at timestamptz,
  refresh_expires_at timestamptz,
  version integer not null default 1,
  due_at timestamptz,
  lease_until timestamptz,
  fence bigint not null default 0,
  attempts integer not null default 0,
  -- A refresh was sent and has not been answered; nobody sends another before this moment.
  refresh_sent_until timestamptz,
  -- The platform said that this version is revoked.
  refused_at timestamptz,
  -- Its last account was disconnected: it is revoked at the platform once nothing of it is under way.
  ended_at timestamptz,
  created_at timestamptz not null default app_now()
);
create index access_grant_due on access_grant (due_at) where due_at is not null;

create table account (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references auth."user" (id) on delete cascade,
  identity_id uuid not null references identity (id),
  grant_id uuid references access_grant (id) on delete set null,
  platform text not null,
  -- Where the account lives, where a platform has many servers; it may move.
  service text not null default '',
  username text not null,
  display_name text not null,
  avatar text,
  status text not null check (status in ('CONNECTED', 'EXPIRED', 'REVOKED', 'DISCONNECTED')),
  sandbox boolean not null,
  capabilities jsonb not null,
  choices jsonb not null default '{}',
  choice_values jsonb not null default '{}',
  extra jsonb not null default '{}',
  connected_at timestamptz not null default app_now(),
  disconnected_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  fence bigint not null default 0,
  attempts integer not null default 0,
  unique (user_id, identity_id)
);
create index account_listing on account (user_id, connected_at, id);
create index account_grant on account (grant_id);
create index account_due on account (due_at) where due_at is not null;
create index account_identity on account (identity_id);
create index account_avatar on account (avatar) where avatar is not null;

-- Applications registered at run time, one for each server of a federated platform; sealed.
create table platform_app (
  platform text not null,
  service text not null,
  sealed bytea not null,
  created_at timestamptz not null default app_now(),
  primary key (platform, service)
);

-- A consent under way. The ticket begins it, once; the state that comes back finds it, once, and only from the browser
-- that began it. Only hashes are kept.
create table consent (
  id uuid primary key default uuid_v7(),
  ticket_hash bytea not null unique,
  state_hash bytea unique,
  browser_hash bytea,
  user_id uuid not null references auth."user" (id) on delete cascade,
  platform text not null,
  sandbox boolean not null,
  choices jsonb not null,
  input jsonb not null,
  kept bytea,
  begun_at timestamptz,
  expires_at timestamptz not null
);
create index consent_expiry on consent (expires_at);

create table media (
  id uuid primary key,
  user_id uuid not null references auth."user" (id) on delete cascade,
  storage_key text not null unique,
  thumbnail text not null unique,
  bytes bigint not null,
  sha256 bytea not null,
  facts jsonb not null,
  state text not null check (state in ('storing', 'stored', 'gone')),
  created_at timestamptz not null default app_now()
);
create index media_sweep on media (created_at) where state <> 'gone';
create index media_user on media (user_id);

create table post (
  id uuid primary key,
  user_id uuid not null references auth."user" (id) on delete cascade,
  origin_id uuid not null,
  media_id uuid not null references media (id),
  rule_id uuid,
  repost_of uuid,
  is_repost boolean not null default false,
  description text not null,
  preview_time_ms integer not null,
  scheduled boolean not null,
  date timestamptz not null,
  created_at timestamptz not null default app_now()
);
create index post_history on post (user_id, date desc, id desc);
create index post_media on post (media_id);
create index post_rule on post (rule_id) where rule_id is not null;

create table target (
  id uuid primary key,
  post_id uuid not null references post (id) on delete cascade,
  user_id uuid not null,
  account_id uuid not null references account (id),
  identity_id uuid not null references identity (id),
  origin_id uuid not null,
  position smallint not null,
  state text not null check (state in
    ('scheduled', 'working', 'waiting', 'committing', 'confirming', 'unknown', 'posted', 'failed')),
  -- When it is to be looked at next; null once it is final.
  due_at timestamptz,
  -- What the deadline counts from: the time asked for, its staggered place in a late queue, or the user's retry.
  counts_from timestamptz not null,
  deadline_at timestamptz,
  begun_at timestamptz,
  checkpoint bytea,
  attempts integer not null default 0,
  crashes integer not null default 0,
  -- Grows with every write: whoever read an older one changes nothing.
  version integer not null default 0,
  -- Number of the send; evidence names it.
  commit_number integer not null default 0,
  -- Number that idempotency keys are made of: grows only when a send is proven to have done nothing.
  key_number integer not null default 1,
  committed_at timestamptz,
  commit_until timestamptz,
  -- Some send of this target ended without proof: from then on only a look counts.
  unproven boolean not null default false,
  looks integer not null default 0,
  unknown_since timestamptz,
  not_posted_since timestamptz,
  confirming_since timestamptz,
  complete_since timestamptz,
  accept_duplicate boolean not null default false,
  code text,
  detail text,
  platform_code text,
  remote_id text,
  url text,
  published_at timestamptz,
  settled_at timestamptz,
  created_at timestamptz not null default app_now(),
  check ((state in ('posted', 'failed')) = (due_at is null))
);
create index target_post on target (post_id, position);
create index target_due on target (identity_id, due_at, id) where due_at is not null;
create index target_account on target (account_id) where due_at is not null;
-- Belt and braces for the lane's promise: never two sends of one identity under way.
create unique index target_one_commit on target (identity_id) where state = 'committing';
-- Lineage: one piece of content reaches an identity once.
create unique index target_lineage on target (origin_id, identity_id);

create table timeline (
  id bigint generated always as identity primary key,
  target_id uuid not null references target (id) on delete cascade,
  at timestamptz not null default app_now(),
  event text not null,
  text text not null,
  platform_code text
);
create index timeline_target on timeline (target_id, id);

-- What we put where, for ever: never deleted, whatever else is.
create table placement (
  id uuid primary key default uuid_v7(),
  origin_id uuid not null,
  identity_id uuid not null,
  target_id uuid not null unique,
  remote_id text,
  duration_ms integer not null,
  normal_text text not null,
  published_at timestamptz not null
);
create unique index placement_remote on placement (identity_id, remote_id) where remote_id is not null;
create unique index placement_lineage on placement (origin_id, identity_id);

-- Minutes in which some worker was alive: a post is late only by the others.
create table alive_minute (
  minute timestamptz primary key
);

create table budget (
  key text primary key,
  closed_until timestamptz
);
create table budget_use (
  id bigint generated always as identity primary key,
  key text not null references budget (key) on delete cascade,
  at timestamptz not null default app_now()
);
create index budget_use_window on budget_use (key, at);

create table rule (
  id uuid primary key,
  user_id uuid not null references auth."user" (id) on delete cascade,
  from_account uuid not null references account (id) on delete cascade,
  is_paused boolean not null default false,
  created_at timestamptz not null default app_now()
);
create index rule_listing on rule (user_id, created_at desc, id desc);
create index rule_source on rule (from_account);

create table rule_destination (
  rule_id uuid not null references rule (id) on delete cascade,
  account_id uuid not null references account (id) on delete cascade,
  position smallint not null,
  primary key (rule_id, account_id)
);
create index rule_destination_account on rule_destination (account_id);

-- When a rule was active; the open interval has no end.
create table rule_interval (
  rule_id uuid not null references rule (id) on delete cascade,
  active_from timestamptz not null,
  active_to timestamptz,
  primary key (rule_id, active_from)
);

-- Outbox: what must follow from a committed fact.
create table event (
  id uuid primary key default uuid_v7(),
  kind text not null,
  -- Makes writing the same consequence twice impossible.
  once text not null unique,
  user_id uuid not null references auth."user" (id) on delete cascade,
  payload jsonb not null,
  created_at timestamptz not null default app_now(),
  due_at timestamptz default app_now(),
  lease_until timestamptz,
  fence bigint not null default 0,
  attempts integer not null default 0,
  done_at timestamptz
);
create index event_due on event (due_at) where due_at is not null;
create index event_done on event (done_at) where done_at is not null;
-- Rules that have still to act, those that wait for a paused rule too.
create index event_open on event ((payload->>'ruleId')) where kind = 'rule' and done_at is null;

-- Files to be removed from the storage once nothing refers to them.
create table file_removal (
  storage_key text primary key,
  due_at timestamptz default app_now(),
  lease_until timestamptz,
  fence bigint not null default 0,
  attempts integer not null default 0
);
create index file_removal_due on file_removal (due_at) where due_at is not null;

create table idempotency (
  user_id uuid not null references auth."user" (id) on delete cascade,
  key text not null,
  owner uuid not null,
  content bytea,
  post_id uuid,
  answer jsonb,
  lease_until timestamptz,
  created_at timestamptz not null default app_now(),
  primary key (user_id, key)
);
create index idempotency_age on idempotency (created_at);

-- Cancelled posts, remembered for a day, so that a repeated cancel is answered alike.
create table cancelled (
  post_id uuid primary key,
  user_id uuid not null references auth."user" (id) on delete cascade,
  at timestamptz not null default app_now()
);
create index cancelled_at on cancelled (at);

create table audit (
  id uuid primary key default uuid_v7(),
  at timestamptz not null default app_now(),
  user_id uuid,
  actor text not null,
  action text not null,
  subject text not null
);
create index audit_at on audit (at);
