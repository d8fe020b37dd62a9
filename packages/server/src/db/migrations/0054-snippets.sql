-- Texts that a user often inserts into captions.
create table snippet (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references auth."user" (id) on delete cascade,
  name text not null,
  text text not null,
  unique (user_id, name)
);
