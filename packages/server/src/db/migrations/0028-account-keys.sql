-- Deleting an account or a user reads only its own rows. A partial index cannot be used to check a foreign key.
drop index target_account;
create index target_account on target (account_id, due_at);
create index cancelled_user on cancelled (user_id);
