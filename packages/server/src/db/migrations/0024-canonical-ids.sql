-- One platform named a post by an id with a prefix when it was published, and without it when it was listed. The form
-- without it is kept. A post that was found beside ours under the other form keeps its entry.
update placement p set remote_id = regexp_replace(remote_id, '^urn:li:\w+:', '')
  where remote_id ~ '^urn:li:\w+:\d{6,}$' and not exists (select from placement o
    where o.identity_id = p.identity_id and o.id <> p.id
      and regexp_replace(o.remote_id, '^urn:li:\w+:', '') = regexp_replace(p.remote_id, '^urn:li:\w+:', ''));
update target set remote_id = regexp_replace(remote_id, '^urn:li:\w+:', '')
  where remote_id ~ '^urn:li:\w+:\d{6,}$';
