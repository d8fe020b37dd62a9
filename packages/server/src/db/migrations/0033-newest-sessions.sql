-- A user keeps the newest 50 sessions. Rows that another sign-in is deleting are skipped, so that none waits.
create function auth.keep_newest_sessions() returns trigger language plpgsql as $$
begin
  delete from auth.session where id in (
    select id from auth.session where id in (
      select id from auth.session where user_id = new.user_id
      order by (id = new.id) desc, created_at desc, id desc offset 50)
    for update skip locked);
  return null;
end $$;
create trigger newest_sessions after insert on auth.session for each row execute function auth.keep_newest_sessions();

delete from auth.session where id in (
  select id from (select id, row_number() over (partition by user_id order by created_at desc, id desc) as place
                  from auth.session) ranked
  where place > 50);
update auth.session set user_agent = left(user_agent, 512) where length(user_agent) > 512;
