-- What is kept for a while only is found by its age (platform/retention.ts): nothing else asks these tables for it.
create index session_over on session (least(ended_at, refresh_expires_at));
create index session_newest on session (person_id, id);
create index call_event_old on call_event (received_at);
create index contact_import_chunk_old on contact_import_chunk (at);
create index auto_text_sent_old on auto_text_sent (at);
create index batch_old on batch (finished_at) where finished_at is not null;
create index tag_deleted on tag (deleted_at) where deleted_at is not null;
create index push_device_gone on push_device (gone_at) where gone_at is not null;
create index picture_old on sandbox.picture (at);
