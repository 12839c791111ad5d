-- When the call clock tries a pending command again: two seconds after it was stored, and at growing
-- intervals after a carrier did not accept it. Null: performed before this column existed.
alter table call_command add column retry_at timestamptz;
update call_command set retry_at = created_at + interval '2 seconds' where done_at is null;
create index concurrently call_command_pending on call_command (retry_at) where done_at is null;
