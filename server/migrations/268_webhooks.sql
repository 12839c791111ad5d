-- Deliveries about one object that keep their order; null: each is sent when it can be.
alter table delivery add column order_key text;
-- The event's place among all events, which is the order.
alter table delivery add column event_seq bigint not null default 0;
create index concurrently delivery_order on delivery (company_id, destination_id, order_key, event_seq, id)
  where state in ('queued', 'failed') and order_key is not null;

-- Since when nothing was taken; null: the last try worked.
alter table destination add column failing_since timestamptz;
-- Why it is off; null: a person turned it off.
alter table destination add column off_because text check (off_because in ('failing'));

-- Each try of a delivery.
create table delivery_attempt (
  company_id bigint not null,
  delivery_id bigint not null,
  id bigint not null default next_id(),
  at timestamptz not null,
  duration_ms integer not null,
  response_code integer,
  response_excerpt text,
  error text,
  primary key (company_id, delivery_id, id),
  foreign key (company_id, delivery_id) references delivery (company_id, id) on delete cascade
);
select tenant_table('delivery_attempt');
