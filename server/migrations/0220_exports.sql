-- Files made to be fetched soon: after this they go, bytes and all.
alter table file add column delete_after timestamptz;
create index file_old on file (delete_after) where delete_after is not null and deleted_at is null;
