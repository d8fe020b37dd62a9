-- The user whose share of the slots a row counts against, so that nobody's rows delay those of others. Null: nobody's.
alter table watch add column user_id uuid;
update watch w set user_id = (
  select a.user_id from identity d join account a on a.identity_id = d.id where d.watch_id = w.id order by a.id limit 1);
alter table push_stream add column user_id uuid;
alter table push_stream add column service text not null default '';
update push_stream s set user_id = w.user_id, service = w.service from watch w where w.id = s.watch_id;
alter table watched_post add column user_id uuid;

-- Servers that users name may be slow on purpose. Their accounts share half of a worker's slots.
alter table lane add column own_server boolean not null default false;
update lane l set own_server = true
  where exists (select from account a where a.identity_id = l.identity_id and a.service <> '');
