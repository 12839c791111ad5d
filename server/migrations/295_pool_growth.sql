-- Pools that buy numbers as visitors need them: in whose name, the last purchase, and why there is none.
alter table tracking_pool add column auto_scale_by bigint references person (id) on delete set null;
alter table tracking_pool add column grown_at timestamptz;
alter table tracking_pool add column growth_batch uuid;
alter table tracking_pool add column growth_problem text;
alter table tracking_pool add column growth_problem_at timestamptz;
create index concurrently tracking_pool_growing on tracking_pool (company_id, id)
  where auto_scale_by is not null and deleted_at is null and status = 'active' and mode = 'visitor';
create index concurrently tracking_pool_growth_person on tracking_pool (auto_scale_by)
  where auto_scale_by is not null;
