create extension if not exists btree_gin;

-- Who the other party is. Unique by number among the living (A11); an opt-out is kept by number elsewhere and survives all of this.
create table contact (
  company_id bigint not null, id bigint not null default next_id(), number text not null, name text not null default '',
  company_name text not null default '', title text not null default '', email text not null default '',
  address1 text not null default '', address2 text not null default '', city text not null default '', state text not null default '', zip text not null default '', country text not null default '',
  notes text not null default '', optin_type text, optin_source text not null default '', alternative_names text[] not null default '{}', secondary_emails text[] not null default '{}',
  carrier text, gender text, age_range text, type text not null default 'Person', source text not null default 'Manual',
  invalid boolean not null default false,
  -- Follows what the opt-out ledger says aloud; the ledger itself decides whether a text may go.
  unsubscribed_at timestamptz,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(), deleted_at timestamptz,
  search text generated always as (lower(name || ' ' || company_name || ' ' || email)) stored,
  primary key (company_id, id)
);
create unique index contact_live_number on contact (company_id, number) where deleted_at is null;
create index contact_search on contact using gin (company_id, search gin_trgm_ops) where deleted_at is null;
select tenant_table('contact');
