-- Whether the company is alerted when a phrase of a list is said.
alter table phrase_list add column alert boolean not null default false;
