-- The mail about a deletion outlives its user. It has the address and the language itself, and is deleted once it is sent.
alter table security_mail
  alter column user_id drop not null,
  add column email text,
  add column language text,
  add constraint security_mail_recipient check ((user_id is null) = (email is not null));
