-- Mails about passwords and other ways to sign in: an outbox. A row is written in the transaction of the change, so that
-- a failing mail server loses none.
create table security_mail (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references auth."user" (id) on delete cascade,
  -- A mail of messages/mail.ts, and what its text needs beside the user and the host. No secrets.
  name text not null,
  params jsonb not null,
  at timestamptz not null default app_now(),
  -- Null: sent, or not needed.
  due_at timestamptz default app_now(),
  lease_until timestamptz,
  fence bigint not null default 0,
  attempts integer not null default 0
);
create index security_mail_due on security_mail (due_at) where due_at is not null;
create index security_mail_recent on security_mail (user_id, name, at);
create index security_mail_age on security_mail (at);
