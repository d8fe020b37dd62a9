-- The post that is tried first when a server publishes again, for each server and cause. Rows of the last hour only.
create table outage_probe (
  platform text not null,
  -- Of account.service: one server of a platform that has many.
  service text not null,
  sandbox boolean not null,
  cause text not null,
  target_id uuid not null,
  at timestamptz not null default app_now(),
  primary key (platform, service, sandbox, cause)
);
