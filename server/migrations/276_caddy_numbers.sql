-- Exchanges of numbers by individuals, which their plan limits. `new_number_id` null: under way, or
-- ended with the process.
create table caddy_replacement (
  company_id bigint not null,
  id bigint not null default next_id(),
  old_number_id bigint not null,
  new_number_id bigint,
  at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, old_number_id) references number (company_id, id) on delete cascade,
  foreign key (company_id, new_number_id) references number (company_id, id) on delete cascade
);
create index caddy_replacement_at on caddy_replacement (company_id, at);
create index caddy_replacement_old on caddy_replacement (company_id, old_number_id);
create index caddy_replacement_new on caddy_replacement (company_id, new_number_id);
select tenant_table('caddy_replacement');
