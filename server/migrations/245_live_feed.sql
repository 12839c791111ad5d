-- What the live feed tells of a visit: the number that its source always sees (others lease theirs),
-- and when its page first said that it shows the number.
alter table tracking_visit add column fixed_number_id bigint;
alter table tracking_visit add column swapped_at timestamptz;
-- The latest visits of a pool are found by tracking_visit_pool; calls and texts by this.
create index concurrently tracking_match_at on tracking_match (company_id, at desc);
