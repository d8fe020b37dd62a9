-- No notification for posts that fail because their user disconnects the account: the user is asked before. That
-- transaction sets reelay.is_disconnecting.
drop trigger target_failed on target;
create trigger target_failed after update on target for each row
  when (new.state = 'failed' and old.state <> 'failed'
    and coalesce(current_setting('reelay.is_disconnecting', true), '') <> 'on')
  execute function notify_target_failed();
