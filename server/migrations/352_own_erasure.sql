-- When its person deleted the account: it can't be used since, and a job erases what is theirs.
alter table person add column erasing_at timestamptz;
