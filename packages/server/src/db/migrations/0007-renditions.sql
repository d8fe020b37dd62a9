-- Files made of a video for platforms that do not take it as it is: one for equal needs, shared by all targets.
create table rendition (
  id uuid primary key default uuid_v7(),
  media_id uuid not null references media (id) on delete cascade,
  -- Equal needs have the same text.
  spec_key text not null,
  spec jsonb not null,
  storage_key text not null unique,
  state text not null default 'making' check (state in ('making', 'stored', 'failed')),
  -- How much of it is made, 0 to 1.
  progress real not null default 0,
  -- Why it cannot be made.
  detail text,
  bytes bigint,
  sha256 bytea,
  facts jsonb,
  created_at timestamptz not null default app_now(),
  due_at timestamptz default app_now(),
  lease_until timestamptz,
  fence bigint not null default 0,
  attempts integer not null default 0,
  unique (media_id, spec_key),
  check (state <> 'stored' or (bytes is not null and sha256 is not null and facts is not null))
);
create index rendition_due on rendition (due_at) where due_at is not null;

-- Whatever takes a row away, its file goes too.
create function rendition_gone() returns trigger language plpgsql as $$
begin
  insert into file_removal (storage_key) values (old.storage_key) on conflict do nothing;
  return null;
end $$;
create trigger rendition_gone after delete on rendition for each row execute function rendition_gone();

alter table target add column rendition_id uuid references rendition (id) on delete set null;
create index target_rendition on target (rendition_id) where rendition_id is not null;
