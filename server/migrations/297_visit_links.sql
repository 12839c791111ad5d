-- Links to other websites of the company that brought this visitor there: when each was made and the
-- load of the page that used it, so that no other page can use it again.
alter table tracking_visit add column links_used text[] not null default '{}';
