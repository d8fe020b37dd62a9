-- Posts that a user prepares. The client chooses the id: it is also the idempotency key of the post, whose creation
-- deletes the draft. The content is what the API shows; the upload is null once it is used or removed.
create table draft (
  user_id uuid not null references auth."user" (id) on delete cascade,
  id uuid not null,
  version integer not null default 1,
  content jsonb not null,
  upload_id uuid references upload (id) on delete set null,
  changed_at timestamptz not null default app_now(),
  primary key (user_id, id)
);
create index draft_upload on draft (upload_id) where upload_id is not null;
