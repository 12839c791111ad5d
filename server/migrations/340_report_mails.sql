-- When a favorite is emailed, and to whom: {frequency, hour, recipients}; null: it isn't.
alter table favorite_report add column schedule jsonb;
create index concurrently favorite_report_scheduled on favorite_report (company_id, id) where schedule is not null;
