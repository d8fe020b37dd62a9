-- What a post asks of one account alone.
alter table target
  add column caption text,
  add column options jsonb not null default '{}';
