-- When an account was last read from its platform.
alter table account add column checked_at timestamptz;
