-- The script on a company's websites. No row: it is switched on and was never changed.
create table tracking_script (
  company_id bigint primary key references company (id),
  is_enabled boolean not null,
  changed_at timestamptz not null
);
select tenant_table('tracking_script');

-- Where the script was heard from: host and port of each website, at most so many of a company
-- (`note-site.ts`).
create table tracking_site (
  company_id bigint not null,
  host text not null,
  last_seen_at timestamptz not null,
  version text,
  -- How many places of a page showed a visitor's number when that was last more than none.
  swapped int,
  swapped_at timestamptz,
  primary key (company_id, host)
);
create index tracking_site_age on tracking_site (last_seen_at);
select tenant_table('tracking_site');
