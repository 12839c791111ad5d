-- A report over companies of an organization is seen by those who see all of them; null: of one company.
alter table source_report add column company_ids bigint[];
