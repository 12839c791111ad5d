-- A conversation is assigned to a team, to a person, or to a person of a team.
alter table conversation
  add column team_id bigint,
  add foreign key (company_id, team_id) references team (company_id, id) on delete set null (team_id);
create index concurrently conversation_team on conversation (company_id, team_id, last_activity_at desc, id desc)
  where team_id is not null;
-- What is a team's isn't unassigned.
create index concurrently conversation_unassigned on conversation (company_id, last_activity_at desc, id desc)
  where assigned_to is null and team_id is null and archived_at is null and deleted_at is null;
