-- How our account at each carrier stood when it was last asked about. One row a carrier of the installation, so no company leads it.
create table carrier_account (
  carrier text primary key, state text not null check (state in ('ok', 'warning', 'refused', 'unreachable')), sentence text,
  since timestamptz not null, checked_at timestamptz not null, last_worked_at timestamptz
);
select global_table('carrier_account');
