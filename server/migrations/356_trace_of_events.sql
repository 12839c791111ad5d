-- The trace in which an event was published, as a `traceparent`; only while tracing is on (docs/tracing.md).
alter table outbox add column trace text default nullif(current_setting('app.trace', true), '');
