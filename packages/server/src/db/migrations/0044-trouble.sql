-- Why a target has to be tried again: {code, reason: {code, params}, platformCode, since (ms), attempts}.
alter table target add column trouble jsonb,
  add constraint target_trouble check (trouble is null or due_at is not null);
