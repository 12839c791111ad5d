-- When calls to an account's numbers go to voicemail at once: {"from": "22:00", "to": "07:00"} in the
-- account's time zone, both the same for all day; null: never.
alter table caddy_account add column do_not_disturb jsonb;
