-- What is being tried again, for the operator: few rows, also among a million scheduled posts.
create index target_trouble on target (account_id) where trouble is not null and due_at is not null;
