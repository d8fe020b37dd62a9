-- The server that the user of the account named, or "". Files of such servers share half of the slots, as they may be slow on
-- purpose.
alter table source_file add column service text not null default '';
update source_file s set service = a.service from watched_post w, account a
  where w.id = s.watched_post_id and a.user_id = s.user_id and a.identity_id = w.identity_id and a.service <> '';
