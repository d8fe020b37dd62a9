-- A target that failed before anything was sent, or without any effect, keeps no other post from its account.
drop index target_lineage;
create unique index target_lineage on target (origin_id, identity_id)
  where state <> 'failed' or code = 'outcome_unknown' or unproven;
create index target_failed_origin on target (origin_id) where state = 'failed';

-- The same video is one content wherever it is posted. It is told by the text that came with it and by its length.
-- What the text of a repost was before the template of its rule; null: it is what was sent.
alter table post add column content_text text;
alter table placement add column content_text text;
-- The beginning of the text in the form in which texts are compared; null: it equals no other.
alter table target add column content_key text;
alter table placement add column content_key text;
-- Whether the duration is that of the file. Otherwise a platform reported it, perhaps in whole seconds.
alter table placement add column is_measured boolean not null default false;
alter table watched_post add column is_measured boolean not null default false;

update placement set is_measured = true where target_id is not null;
-- Close to what the service computes: letters and digits only, without case.
create function pg_temp.content_key(text) returns text language sql immutable as
  $$ select nullif(left(regexp_replace(lower(normalize($1, NFKC)), '[^[:alnum:]]+', '', 'g'), 80), '') $$;
update placement set content_key = pg_temp.content_key(normal_text);
update target t set content_key = pg_temp.content_key(coalesce(t.caption, p.description))
  from post p where p.id = t.post_id and t.state <> 'posted';
drop function pg_temp.content_key(text);

create index placement_nameless on placement (identity_id, published_at) where remote_id is null;
create index placement_content on placement (identity_id, content_key) where content_key is not null;
create index target_content on target (identity_id, content_key)
  where content_key is not null and state <> 'posted' and (state <> 'failed' or code = 'outcome_unknown' or unproven);
