-- Why a target has to be tried again: {code, reason: {code, params}, platformCode, since (ms), attempts, movedAt (ms)}.
-- Meaningless on a final target: workers of the previous version leave it there.
alter table target add column trouble jsonb;
