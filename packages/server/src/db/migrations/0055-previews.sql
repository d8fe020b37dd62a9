-- Previews that every browser plays: small renditions of an upload or of a stored video, made on request. They have a
-- user and no specification: it follows from the video.
alter table rendition
  alter media_id drop not null,
  alter spec drop not null,
  add column upload_id uuid references upload (id) on delete cascade,
  add column user_id uuid references auth."user" (id) on delete cascade,
  add constraint rendition_source check (num_nonnulls(media_id, upload_id) = 1),
  add constraint rendition_preview check ((user_id is null) = (spec is not null) and (upload_id is null or user_id is not null)),
  add unique (upload_id, spec_key);
create index rendition_preview on rendition (user_id, created_at) where user_id is not null;
