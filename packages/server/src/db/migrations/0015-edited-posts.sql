-- When a later check found another text.
alter table watched_post add column edited_at timestamptz;
