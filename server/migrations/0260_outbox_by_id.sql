-- Events are published as soon as they are committed: the relay alone gives places, so nothing can slip in behind a place that
-- was given, and an open transaction, of this database or another on the same server, holds nobody's news back.
create index outbox_to_publish on outbox (id) where seq is null;
drop index outbox_unpublished;
alter table outbox drop column xid;
