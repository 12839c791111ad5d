-- A delivery that corrects or takes back what an earlier one told; null: it is the first.
alter table delivery add column corrects bigint;
-- What was delivered of one call.
create index concurrently delivery_subject on delivery (company_id, subject_type, subject_id);
