-- When checks ran, and how the audit log's feed counts its entries, is no activity of a company:
-- these rows go with it, so that a company nothing was done in can still be deleted after the clock
-- has checked it and someone has read the feed.
alter table alert_check drop constraint alert_check_company_id_fkey;
alter table alert_check add foreign key (company_id) references company (id) on delete cascade;
alter table audit_numbering drop constraint audit_numbering_company_id_fkey;
alter table audit_numbering add foreign key (company_id) references company (id) on delete cascade;
alter table audit_position drop constraint audit_position_company_id_fkey;
alter table audit_position add foreign key (company_id) references company (id) on delete cascade;
