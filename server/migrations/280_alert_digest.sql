-- Administrators of an organization get one email a day about the alerts of its companies.
alter table organization_admin
  add column alert_digest boolean not null default true,
  -- When the last one was due; null: never.
  add column alert_digest_at timestamptz;
