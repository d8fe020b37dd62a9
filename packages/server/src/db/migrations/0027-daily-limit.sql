-- When an item first waited for its rule's daily limit. What waits too long is skipped.
alter table firing add column limited_at timestamptz;
create index firing_waiting on firing (rule_id) where state = 'waiting';
update firing set limited_at = app_now() where state = 'waiting' and reason->>'code' = 'rule_daily_limit';
