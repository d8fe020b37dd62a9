-- Why the last refresh of the tokens failed, and since when that happens: {since (ms), reason: {code, params}}; null: it succeeded.
alter table access_grant add column refresh_failure jsonb;
