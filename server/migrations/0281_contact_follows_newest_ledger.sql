-- The place (outbox.seq) of what was last heard about this contact's opt-out: an older one that is heard later changes nothing.
alter table contact add column ledger_seq bigint not null default 0;
