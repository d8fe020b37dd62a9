-- Passkeys (WebAuthn): a table of better-auth. Only public keys are stored.
create table auth.passkey (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references auth."user" (id) on delete cascade,
  name text,
  public_key text not null,
  -- Base64url. Chosen by the authenticator, and unguessable.
  credential_id text not null unique,
  -- Number of uses, if the authenticator counts them. 32 bits without a sign.
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  -- Model of the authenticator, if it tells.
  aaguid text,
  created_at timestamptz not null default app_now(),
  last_used_at timestamptz
);
create index passkey_by_user on auth.passkey (user_id, created_at);
