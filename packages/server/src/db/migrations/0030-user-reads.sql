-- Charged reads that users asked for themselves, so that none of them uses up what all rules need.
create table user_reads (
  user_id uuid not null references auth."user" on delete cascade,
  platform text not null,
  day date not null,
  reads integer not null,
  primary key (user_id, platform)
);
