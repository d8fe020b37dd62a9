-- What a retry of a failed repost is compared by, after its rule was deleted or the decision was swept.
alter table post
  -- When the content was published on its source; null: not known.
  add column source_published_at timestamptz,
  -- Its user asked for this repost, although a rule had left it out.
  add column by_hand boolean not null default false,
  -- Selected from the back catalog.
  add column from_catalog boolean not null default false;

-- Reposts that may still be retried.
update post p set by_hand = f.by_hand, from_catalog = f.is_catalog,
    source_published_at = coalesce(w.published_at, s.published_at)
  from firing f left join watched_post w on w.id = f.watched_post_id left join placement s on s.target_id = f.target_id
  where p.content_text is not null and f.rule_id = p.rule_id and f.origin_id = p.origin_id and f.post_id = p.id
    and exists (select from target t where t.post_id = p.id and t.state <> 'posted');
