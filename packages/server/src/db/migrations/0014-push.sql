-- A connection on which a platform announces posts: of one watch, or of all accounts of the platform. Its lease makes
-- sure that one worker holds it.
create table push_stream (
  id uuid primary key default uuid_v7(),
  platform text not null,
  sandbox boolean not null,
  -- Null: shared by the platform's accounts.
  watch_id uuid references watch (id) on delete cascade,
  -- Until then, messages were read. Shared streams continue from there.
  read_until timestamptz,
  due_at timestamptz default app_now(),
  lease_until timestamptz,
  fence bigint not null default 0,
  attempts integer not null default 0,
  unique nulls not distinct (platform, sandbox, watch_id)
);
create index push_stream_due on push_stream (due_at) where due_at is not null;
create index push_stream_watch on push_stream (watch_id) where watch_id is not null;

-- Notifications that a platform sends to us about one watch. The id is part of the URL; the secret is derived from it.
create table push_subscription (
  id uuid primary key default gen_random_uuid(),
  watch_id uuid not null unique references watch (id) on delete cascade,
  -- What we asked the platform for, until it has verified our URL.
  requested text check (requested in ('subscribe', 'unsubscribe')),
  requested_at timestamptz,
  -- The platform sends notifications until then.
  expires_at timestamptz,
  due_at timestamptz default app_now(),
  lease_until timestamptz,
  fence bigint not null default 0,
  attempts integer not null default 0
);
create index push_subscription_due on push_subscription (due_at) where due_at is not null;
