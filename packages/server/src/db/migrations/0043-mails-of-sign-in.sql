-- Mails about changes that the sign-in library makes are queued in the library's own transactions, so that none is lost
-- if the process ends right after the change. A user gets at most ten of a kind an hour, as in security-mail-store.ts.
-- The arguments are the mail and the column of the user's id. The library's connections have another search path.
create function auth.queue_security_mail() returns trigger language plpgsql set search_path from current as $$
declare
  recipient uuid := (to_jsonb(new) ->> tg_argv[1])::uuid;
begin
  insert into security_mail (user_id, name, params) select recipient, tg_argv[0], '{}'
    where (select count(*) from (
      select from security_mail
      where user_id = recipient and name = tg_argv[0] and at > app_now() - interval '1 hour' limit 10) recent) < 10;
  return null;
end $$;

create trigger passkey_added after insert on auth.passkey for each row
  execute function auth.queue_security_mail('passkey_added', 'user_id');
create trigger second_factor_enabled after update of two_factor_enabled on auth."user" for each row
  when (new.two_factor_enabled and not old.two_factor_enabled)
  execute function auth.queue_security_mail('second_factor_enabled', 'id');
create trigger second_factor_disabled after update of two_factor_enabled on auth."user" for each row
  when (old.two_factor_enabled and not new.two_factor_enabled)
  execute function auth.queue_security_mail('second_factor_disabled', 'id');
-- The use of a code removes it, so that the encrypted list becomes shorter. A change of the key encrypts the secret too.
create trigger backup_codes_created after update of backup_codes on auth.two_factor for each row
  when (new.secret = old.secret and new.backup_codes <> old.backup_codes
    and length(new.backup_codes) >= length(old.backup_codes))
  execute function auth.queue_security_mail('backup_codes_created', 'user_id');
