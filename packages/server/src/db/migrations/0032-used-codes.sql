-- The last period whose code a user has used. Codes of it and of earlier ones are refused.
alter table auth.two_factor add column last_step bigint;
