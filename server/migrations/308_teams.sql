-- Teams: people of a company who answer together.
create table team (
  company_id bigint not null,
  id bigint not null default next_id(),
  name text not null check (length(name) between 1 and 60),
  name_key text not null generated always as (lower(name)) stored,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, name_key)
);
select tenant_table('team');

-- Who leaves the company leaves its teams; who is deactivated stays, and is back when activated.
create table team_member (
  company_id bigint not null,
  team_id bigint not null,
  user_id bigint not null,
  primary key (company_id, team_id, user_id),
  foreign key (company_id, team_id) references team (company_id, id) on delete cascade,
  foreign key (company_id, user_id) references membership (company_id, user_id) on delete cascade
);
create index team_member_user on team_member (company_id, user_id);
select tenant_table('team_member');
