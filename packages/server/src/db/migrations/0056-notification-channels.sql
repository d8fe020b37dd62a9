-- Devices and chats to which a user's notifications are sent. The row of a channel is also its turn: it is due while facts
-- wait for it.
create table notification_channel (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references auth."user" (id) on delete cascade,
  kind text not null check (kind in ('push', 'ntfy', 'discord', 'slack', 'telegram')),
  name text not null,
  -- Shown to the user.
  host text not null,
  -- The host if the user named it, or '' for the servers of well-known services.
  service text not null,
  -- A hash of the address of a browser, so that each browser is one channel.
  device text,
  -- The address and its keys, encrypted.
  sealed bytea not null,
  created_at timestamptz not null default app_now(),
  sent_at timestamptz,
  -- Why the last message was not delivered: a message's code and parameters.
  failure jsonb,
  failed_at timestamptz,
  -- The address was refused. Nothing is sent until a test succeeds.
  is_stopped boolean not null default false,
  due_at timestamptz,
  lease_until timestamptz,
  fence bigint not null default 0,
  attempts integer not null default 0,
  unique (user_id, device)
);
create index notification_channel_due on notification_channel (due_at) where due_at is not null;

-- What a channel has not delivered yet. A delivered fact is deleted.
create table notification_delivery (
  channel_id uuid not null references notification_channel (id) on delete cascade,
  notification_id uuid not null references notification (id) on delete cascade,
  primary key (channel_id, notification_id)
);
create index notification_delivery_fact on notification_delivery (notification_id);

-- Whether the channels of the user have the fact. Those that exist are older than any channel.
alter table notification add column gathered boolean not null default true;
alter table notification alter column gathered set default false;
create index notification_ungathered on notification (at) where not gathered;

-- null: the default, which is in the code.
alter table notification_setting add column push boolean;

-- Local times {from, to} between which nothing is sent to channels, in the user's zone; null: none.
alter table auth."user" add column quiet_hours jsonb;
