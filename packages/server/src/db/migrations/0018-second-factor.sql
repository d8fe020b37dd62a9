-- The second factor of sign-in: tables of better-auth. The secret and the backup codes are encrypted.
alter table auth."user" add column two_factor_enabled boolean not null default false;

create table auth.two_factor (
  id uuid primary key default uuid_v7(),
  user_id uuid not null unique references auth."user" (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  -- False until the user has entered the first code.
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);
