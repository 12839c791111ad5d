-- A destination can be a team: its people at the time of the call are rung. A team that a number rings
-- isn't deleted; routes of released numbers let go of it.
alter table forward
  add column team_id bigint,
  drop constraint forward_one_destination,
  add constraint forward_one_destination check (num_nonnulls(phone, user_id, contact_id, team_id) = 1),
  add foreign key (company_id, team_id) references team (company_id, id) on delete cascade;
create index concurrently forward_team on forward (company_id, team_id) where team_id is not null;
