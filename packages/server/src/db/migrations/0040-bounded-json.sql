-- What a server that a user named says of a post's file and of an account has a limit. The service keeps less than this:
-- jsonb as text has spaces that JSON does not need. A file reference that was too large is no reference; what is known of
-- an account is read again every day.
update watched_post set file = null where octet_length(file::text) > 16384;
alter table watched_post add constraint watched_post_file_size check (octet_length(file::text) <= 16384);

update account set extra = '{}', choice_values = '{}'
where service <> '' and octet_length(extra::text) + octet_length(choice_values::text) > 16384;
alter table account add constraint account_facts_size
  check (service = '' or octet_length(extra::text) + octet_length(choice_values::text) <= 16384);
