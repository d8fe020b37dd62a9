-- Rules act on posts made anywhere. A watch reads the posts of one account, or of all accounts of one reader.
create table watch (
  id uuid primary key default uuid_v7(),
  platform text not null,
  service text not null,
  -- The account's remote id, or the name of its reader.
  key text not null,
  -- The connector's own position, stored with the posts that it covers.
  mark jsonb,
  -- Posts from before this moment are not needed, because no rule was active.
  began_at timestamptz not null,
  -- Start of the last complete check.
  checked_at timestamptz,
  -- When posts arrived, newest first: selects the interval of checks.
  recent_posts timestamptz[] not null default '{}',
  failing_since timestamptz,
  -- The start of the failure that was last reported to the operator.
  warned_since timestamptz,
  -- Why the last check failed or waits: code and parameters of a message.
  problem jsonb,
  -- Grows with every change of the position. A check that began with an older one writes nothing.
  version integer not null default 0,
  due_at timestamptz default app_now(),
  lease_until timestamptz,
  fence bigint not null default 0,
  attempts integer not null default 0,
  unique (platform, service, key)
);
create index watch_due on watch (due_at) where due_at is not null;

alter table identity add column watch_id uuid references watch (id) on delete set null;
create index identity_watch on identity (watch_id) where watch_id is not null;

-- Charged reads by day (UTC).
create table watch_reads (
  platform text not null,
  day date not null,
  reads bigint not null,
  primary key (platform, day)
);

-- A post found on a watched account.
create table watched_post (
  id uuid primary key default uuid_v7(),
  identity_id uuid not null references identity (id) on delete cascade,
  remote_id text not null,
  found_at timestamptz not null default app_now(),
  -- The platform's time; rules compare their intervals with it.
  published_at timestamptz not null,
  text text not null,
  url text,
  duration_ms integer,
  width integer,
  height integer,
  is_public boolean not null,
  -- What the connector needs to fetch the file.
  file jsonb,
  problem jsonb,
  -- 'new': not yet compared with our own posts. 'own': one of ours. 'foreign': made elsewhere. 'echo': a copy of one of ours.
  state text not null default 'new' check (state in ('new', 'own', 'foreign', 'echo')),
  origin_id uuid,
  -- First check that no longer listed it, and when that was certain.
  missing_since timestamptz,
  gone_at timestamptz,
  due_at timestamptz default app_now(),
  lease_until timestamptz,
  fence bigint not null default 0,
  attempts integer not null default 0,
  unique (identity_id, remote_id),
  check ((state = 'new') = (origin_id is null))
);
create index watched_post_due on watched_post (due_at) where due_at is not null;
create index watched_post_listing on watched_post (identity_id, published_at desc);
create index watched_post_age on watched_post (found_at);

-- The video of a watched post, fetched for one user and made to fit if a rule says so.
create table source_file (
  id uuid primary key default uuid_v7(),
  watched_post_id uuid not null references watched_post (id) on delete cascade,
  user_id uuid not null references auth."user" (id) on delete cascade,
  -- '', 'pad' or 'crop'.
  fit text not null,
  media_id uuid references media (id) on delete set null,
  state text not null default 'wanted' check (state in ('wanted', 'stored', 'failed')),
  problem jsonb,
  created_at timestamptz not null default app_now(),
  due_at timestamptz default app_now(),
  lease_until timestamptz,
  fence bigint not null default 0,
  attempts integer not null default 0,
  unique (watched_post_id, user_id, fit)
);
create index source_file_due on source_file (due_at) where due_at is not null;
create index source_file_media on source_file (media_id) where media_id is not null;
create index source_file_user on source_file (user_id);

alter table rule add column options jsonb not null default '{}';

-- What a rule did about one piece of content, or will do.
create table firing (
  id uuid primary key default uuid_v7(),
  rule_id uuid not null references rule (id) on delete cascade,
  user_id uuid not null references auth."user" (id) on delete cascade,
  origin_id uuid not null,
  -- Content posted through us. The copy is what a removed post left.
  target_id uuid,
  copy jsonb,
  -- Content found on the source.
  watched_post_id uuid references watched_post (id) on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'reposted', 'skipped')),
  -- Why it waits or was skipped: code and parameters of a message.
  reason jsonb,
  by_hand boolean not null default false,
  -- Older content that the user selected; it is reposted at the rule's pace.
  is_catalog boolean not null default false,
  -- Selects the jitter, so that a retry does not draw again.
  chance double precision not null default random(),
  post_id uuid,
  created_at timestamptz not null default app_now(),
  decided_at timestamptz,
  due_at timestamptz default app_now(),
  lease_until timestamptz,
  fence bigint not null default 0,
  attempts integer not null default 0,
  unique (rule_id, origin_id),
  check ((target_id is null) <> (watched_post_id is null)),
  check ((state = 'waiting') = (decided_at is null))
);
create index firing_due on firing (due_at) where due_at is not null;
create index firing_target on firing (target_id) where state = 'waiting';
create index firing_copy on firing (((copy->>'mediaId')::uuid)) where copy is not null;
create index firing_watched on firing (watched_post_id) where watched_post_id is not null;
create index firing_activity on firing (rule_id, created_at desc, id desc);
create index firing_reposted on firing (rule_id, decided_at) where state = 'reposted';
create index firing_catalog on firing (rule_id) where is_catalog and state = 'waiting';
create index firing_user on firing (user_id);
create index firing_decided on firing (decided_at) where decided_at is not null;

insert into firing (rule_id, user_id, origin_id, target_id, copy, created_at, due_at, attempts)
  select r.id, e.user_id, coalesce(t.origin_id, (e.payload->'source'->>'originId')::uuid),
    (e.payload->>'targetId')::uuid, e.payload->'source', e.created_at, e.due_at, e.attempts
  from event e join rule r on r.id = (e.payload->>'ruleId')::uuid
    left join target t on t.id = (e.payload->>'targetId')::uuid
  where e.kind = 'rule' and e.done_at is null and (t.id is not null or e.payload ? 'source')
  on conflict do nothing;
drop table event;

-- The ledger holds posts that were made elsewhere too. Who posted ours is remembered beyond the post.
alter table placement alter column target_id drop not null;
alter table placement alter column duration_ms drop not null;
alter table placement add column user_id uuid;
update placement p set user_id = t.user_id from target t where t.id = p.target_id;
create index target_unknown on target (identity_id, settled_at) where code = 'outcome_unknown';
create index placement_time on placement (identity_id, published_at);
