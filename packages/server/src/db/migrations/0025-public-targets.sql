-- Rules repost only what everybody could see. null: not sent yet, or not known, which counts as private. So do the
-- copies that removed posts left before, whose options are gone.
alter table target add column is_public boolean;
-- Nothing changes that anybody sees.
alter table target disable trigger user;
-- What was sent before: every audience that the options of the post and the account name must be a public one. Without
-- any, the post counts as public. The settings may have changed since, so a doubt counts as private. This decides only
-- about what still waits, and about previews and reposts by hand.
update target t set is_public = coalesce(
    coalesce(t.options->>'privacy', a.choices->>'privacy', 'public') in ('public', 'PUBLIC_TO_EVERYONE')
    and coalesce(t.options->>'visibility', a.extra->>'privacy', 'public') in ('public', 'unlisted', 'PUBLIC')
    and coalesce(t.options->>'board', a.choices->>'board', 'PUBLIC')
      in ('PUBLIC', 'PROTECTED', a.extra->'boards'->>'PUBLIC', a.extra->'boards'->>'PROTECTED')
    and not t.options ? 'trial' and a.extra->>'protected' is distinct from 'true'
    and (a.platform <> 'telegram' or a.username like '@%'), false)
  from account a where a.id = t.account_id and t.committed_at is not null;
alter table target enable trigger user;
-- The daily look at an account stores it from now on.
update account set extra = extra || jsonb_build_object('publicName', substr(username, 2))
  where platform = 'telegram' and username ~ '^@\w+$';

-- Whether everybody could see a found post when it was found, or within two days of its publication.
alter table watched_post add column public_in_time boolean not null default true;
alter table watched_post alter column public_in_time set default false;
update watched_post set public_in_time = false where not is_public;
-- What is decided again when it becomes public.
create index firing_private on firing (watched_post_id)
  where state = 'skipped' and (reason->>'code') = 'source_private';
