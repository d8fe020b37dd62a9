-- Charged reads that were made for a user by the service: for rules, files and the outcome of sends. `reads` are those that the
-- user asked for.
alter table user_reads add column for_service integer not null default 0;
-- Where a check continues that stopped before its last page. Its position is stored once that page is read.
alter table watch add column resume jsonb;
