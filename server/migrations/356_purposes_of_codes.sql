-- Where 031 had been applied before 021, the list of 021 stayed, and refused codes of later parts.
alter table sent_code drop constraint sent_code_purpose_check;
alter table sent_code add constraint sent_code_purpose_check check (purpose ~ '^[a-z_]{1,40}$');
