-- A consent is the record of an attempt to connect as well: what happened, in the platform's own words, for thirty days.
alter table consent
  add column used_at timestamptz,
  add column choice_hash bytea unique,
  add column steps jsonb not null default '[]';
create index consent_user on consent (user_id, id desc);
