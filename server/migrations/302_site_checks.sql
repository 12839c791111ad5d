-- What the hourly look at a website's page found, beside what its script reports.
alter table tracking_site
  add column checked_at timestamptz,
  -- When a page last had the script in its HTML; null: never, as with a tag manager.
  add column script_found_at timestamptz,
  -- Looks in a row that didn't find the script although one had before.
  add column missing_checks int not null default 0,
  add column has_wrong_key boolean not null default false,
  add column script_count int not null default 0;
