-- Access lives at the platform too: it outlasts its user until it was given back there.
alter table access_grant
  alter column user_id drop not null,
  drop constraint access_grant_user_id_fkey,
  add constraint access_grant_user_id_fkey foreign key (user_id) references auth."user" (id) on delete set null,
  add constraint access_grant_ended_without_user check (user_id is not null or ended_at is not null);
create index access_grant_user on access_grant (user_id) where user_id is not null;
