-- Pages of older posts as a platform listed them, so that reading a page again costs nothing for ten minutes.
create table catalog_page (
  account_id uuid not null references account (id) on delete cascade,
  -- SHA-256 of the platform's cursor, which has no limit.
  cursor bytea not null,
  read_at timestamptz not null default app_now(),
  next text not null,
  -- Ids of watched_post, in the platform's order. Some may have been deleted meanwhile.
  posts uuid[] not null,
  primary key (account_id, cursor)
);
create index catalog_page_age on catalog_page (read_at);
