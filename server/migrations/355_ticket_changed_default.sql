-- A version from before the column writes tickets without it while both run during an upgrade.
alter table support_ticket alter column changed_at set default now();
