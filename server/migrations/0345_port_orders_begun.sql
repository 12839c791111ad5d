-- Since when a carrier may have an order for this request, whether or not its answer came back. What is canceled after that is
-- canceled there, too; what the carrier does against our word stands in `alarm` ({code, text, at}) until somebody has seen to it.
alter table port_request add column send_begun_at timestamptz, add column alarm jsonb;
alter table port_event drop constraint port_event_kind_check, add constraint port_event_kind_check
  check (kind in ('status', 'note', 'document', 'letter', 'change', 'alarm'));
update port_request set send_begun_at = submitted_at where submitted_at is not null;
drop index port_request_open;
create index port_request_open on port_request (updated_at) where send_begun_at is not null and status in ('submitted', 'inProgress', 'firmOrderScheduled', 'documentsRequested');
create index port_request_canceled on port_request (canceled_at) where send_begun_at is not null and status = 'canceled';
