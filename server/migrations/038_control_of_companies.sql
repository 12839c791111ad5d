-- Who parked or deactivated a company: its owner can undo what the organization did by leaving it,
-- never what the platform did. Null: active.
alter table company
  add column status_set_by text check (status_set_by in ('organization', 'platform'));
update company set status_set_by = 'organization' where status <> 0;

-- Who started a transfer, and when the owner agreed to it. Null: someone else started it, and the
-- new owner can't accept yet.
alter table ownership_transfer
  add column started_by bigint,
  add column agreed_at timestamptz;
update ownership_transfer set started_by = from_user_id, agreed_at = created_at;
