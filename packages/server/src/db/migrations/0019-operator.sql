-- Lists of the operator: users, the audit log, what finished, what is stored.
create index user_listing on auth."user" (created_at desc, id desc);
create index audit_listing on audit (at desc, id desc);
drop index audit_at;
drop index audit_user;
create index audit_user on audit (user_id, at desc, id desc) where user_id is not null;
create index target_settled on target (settled_at) where settled_at is not null;
create index media_stored on media (bytes) where state = 'stored';

-- What the simulated platforms published, by platform and account.
create index published_of_platform on sandbox.published (platform, seq desc) where not removed;
create index published_of_account on sandbox.published (platform, (entry->>'username'), seq desc) where not removed;

-- Without the extension, users are searched without an index.
do $$
begin
  create index user_text on auth."user" using gin ((email || ' ' || name) gin_trgm_ops);
exception when undefined_object then
  raise notice 'pg_trgm is not available: %', sqlerrm;
end $$;
