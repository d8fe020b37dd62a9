create schema sandbox;

create sequence sandbox.item_version;

create table sandbox.item (
  platform text not null,
  kind text not null,
  key text not null,
  owner text,
  value jsonb not null,
  seq bigint generated always as identity,
  version bigint not null default nextval('sandbox.item_version'),
  primary key (platform, kind, key)
);
create index item_newest on sandbox.item (platform, kind, seq desc);
create index item_newest_of_owner on sandbox.item (platform, kind, owner, seq desc);

create table sandbox.published (
  seq bigint generated always as identity primary key,
  platform text not null,
  id text not null,
  act text,
  entry jsonb not null,
  removed boolean not null default false
);
create index published_by_id on sandbox.published (platform, id);
create unique index published_once_per_act on sandbox.published (platform, act) where act is not null;
