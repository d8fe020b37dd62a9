-- Where a request came from, when it is known. Removed when the user is.
alter table audit add column address text;
create index audit_user on audit (user_id) where user_id is not null;

-- Sessions end a week after their last use.
update auth.session set expires_at = least(expires_at, now() + interval '7 days');
