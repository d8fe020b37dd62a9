-- Accounts that a user often selects together. Ids of accounts that are gone stay, and are not shown.
create table account_group (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references auth."user" (id) on delete cascade,
  name text not null,
  accounts uuid[] not null,
  unique (user_id, name)
);
