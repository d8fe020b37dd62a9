-- Counts the posts of an account that were found in the last day, to limit them.
create index watched_post_found on watched_post (identity_id, found_at);
