-- Links that open a favorite report without an account, for a while. Of the token only the hash is kept.
create table report_link (
  company_id bigint not null,
  id bigint not null default next_id(),
  favorite_id bigint not null,
  user_id bigint not null,
  token_hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_opened_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, favorite_id) references favorite_report on delete cascade
);
create index report_link_token on report_link (token_hash);
create index report_link_favorite on report_link (company_id, favorite_id);
create index report_link_expires on report_link (expires_at);
select tenant_table('report_link');
