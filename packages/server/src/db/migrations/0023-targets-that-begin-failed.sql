-- A repost can fail when it is created: the plan forbids it, its account has no access, or its caption is too long.
create trigger target_created_failed after insert on target for each row
  when (new.state = 'failed') execute function notify_target_failed();
