-- While the rule is paused, posts on its source wait until it is resumed. Its active interval stays open.
alter table rule add column keeps_posts boolean not null default false;
