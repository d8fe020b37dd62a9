-- Who took a use of an application-wide budget, so that it can be divided between the users who want it.
alter table budget_use add column user_id uuid;
