-- The user asked to stop trying. Workers do not write it: they read it before each step.
alter table target add column stop_requested boolean not null default false;

-- No notification for what the user stopped.
drop trigger target_failed on target;
create trigger target_failed after update on target for each row
  when (new.state = 'failed' and old.state <> 'failed' and new.code is distinct from 'stopped'
    and coalesce(current_setting('reelay.is_disconnecting', true), '') <> 'on')
  execute function notify_target_failed();
