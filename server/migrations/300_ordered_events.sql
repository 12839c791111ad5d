-- Events whose subscribers want them in order, from when they are published until they are handled: in
-- each lane one after another. The queue's own groups are for a few: it locks all of them to find a job.
create table ordered_event (
  company_id bigint not null,
  lane smallint not null,
  seq bigint not null,
  subscriber text not null,
  data jsonb not null,
  primary key (company_id, lane, seq, subscriber)
);
select tenant_table('ordered_event');
-- What waits is no activity of a company that is deleted.
alter table ordered_event drop constraint ordered_event_company_id_fkey;
alter table ordered_event add foreign key (company_id) references company (id) on delete cascade;

-- Jobs are queued without groups again.
drop function enqueue_jobs(text, json[], boolean, text[]);
create function enqueue_jobs(job text, payloads json[], bulk boolean)
returns void language sql security definer set search_path = public, pg_temp as $$
  select graphile_worker.add_job(job, p.payload, null, clock_timestamp(), 25, null, case when bulk then 10 else 0 end) from unnest(payloads) with ordinality p(payload, n) order by p.n
$$;
revoke execute on function enqueue_jobs from public;
grant execute on function enqueue_jobs to trunkline_app, trunkline_system;

-- Deliveries are taken from their own table, by destination, many at a time, and no longer as jobs.
drop index delivery_due;
create index concurrently delivery_open on delivery (company_id, destination_id, next_try_at, event_seq)
  where state in ('queued', 'failed');
select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs
  where task_identifier in ('integrations.deliver', 'integrations.startDue')));
