-- A timeline entry stores the code and the parameters of its message. Entries from before keep their text.
alter table timeline alter column text drop not null;
alter table timeline add column code text, add column params jsonb;
alter table timeline add constraint timeline_message check ((text is null) <> (code is null)) not valid;
