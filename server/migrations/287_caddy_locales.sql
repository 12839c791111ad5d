-- What the app is translated into, and in which countries' dates and times.
update caddy_account set locale = 'en-US' where locale not in ('en-US', 'en-CA', 'en-GB');
alter table caddy_account add check (locale in ('en-US', 'en-CA', 'en-GB'));
