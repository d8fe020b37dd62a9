-- Videos that come in pieces. All bytes count as there only together with their hash, so a row says by itself what it is:
-- unfinished (durable < bytes), finished (sha256), used (post_id).
create table upload (
  id uuid primary key,
  user_id uuid not null references auth."user" (id) on delete cascade,
  -- As announced.
  bytes bigint not null check (bytes > 0),
  -- So many are on disk for certain.
  durable bigint not null default 0,
  -- Number in the name of its file. It changes where a writer vanished: what that one may still write is not in it.
  file bigint not null default 0,
  announced_sha256 bytea,
  sha256 bytea,
  -- As the client sent it, and gets it back.
  metadata text,
  filename text,
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  post_id uuid,
  used_at timestamptz,
  -- At most one request writes: it holds the lease, and lets go early where another one wants it. The fence only grows.
  lease_until timestamptz,
  fence bigint not null default 0,
  wanted boolean not null default false,
  constraint upload_finished check ((durable = bytes) = (sha256 is not null)),
  constraint upload_used check ((post_id is null) = (used_at is null))
);
create index upload_user on upload (user_id);
create index upload_expiry on upload (expires_at);
