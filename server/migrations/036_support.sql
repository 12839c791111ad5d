-- Six random digits that a caller names to prove which company they are of; replaced every week.
create function new_support_pin() returns text language sql volatile as $$
  select lpad((('x' || left(gen_random_uuid()::text, 8))::bit(32)::bigint % 1000000)::text, 6, '0')
$$;
alter table company add column support_pin text not null default new_support_pin();
create index concurrently company_support_pin on company (support_pin);
-- It was one for each person, and never changed.
alter table membership drop column support_pin;

create table support_ticket (
  company_id bigint not null,
  id bigint not null default next_id(),
  -- What the person and support call it by.
  reference text not null,
  user_id bigint not null references person (id),
  message text not null,
  callback_number text,
  callback_requested boolean not null,
  page_url text,
  file_ids bigint[] not null default '{}',
  status text not null default 'open' check (status in ('open', 'closed')),
  created_at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, reference)
);
create index support_ticket_of_person on support_ticket (company_id, user_id, id desc);
create index support_ticket_newest on support_ticket (id desc);
select tenant_table('support_ticket');

-- How each kind of job stands. The queue's own tables stay closed to the application's roles.
create function job_queue_status() returns table (
  job text, waiting int, running int, failed int, oldest_due_at timestamptz, last_error text
) language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    select j.task_identifier,
      count(*) filter (where j.attempts < j.max_attempts and j.locked_at is null)::int,
      count(*) filter (where j.locked_at is not null)::int,
      count(*) filter (where j.attempts >= j.max_attempts and j.locked_at is null)::int,
      min(j.run_at) filter (where j.attempts < j.max_attempts and j.locked_at is null),
      max(j.last_error) filter (where j.attempts >= j.max_attempts)
    from graphile_worker.jobs j group by j.task_identifier order by j.task_identifier;
end $$;
revoke execute on function job_queue_status from public;
grant execute on function job_queue_status to trunkline_system;

-- Runs jobs of one kind that failed for good once more. Returns how many.
create function retry_failed_jobs(job text) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare ids bigint[];
begin
  select array_agg(j.id) into ids from (
    select f.id from graphile_worker.jobs f
    where f.task_identifier = job and f.attempts >= f.max_attempts and f.locked_at is null
    order by f.id limit 1000
  ) j;
  perform graphile_worker.reschedule_jobs(ids, run_at := clock_timestamp(), attempts := 0);
  return coalesce(array_length(ids, 1), 0);
end $$;
revoke execute on function retry_failed_jobs from public;
grant execute on function retry_failed_jobs to trunkline_system;
grant select on migration to trunkline_system;
