-- Jobs with a group run one after another, in the order in which they were queued; null: beside each other.
drop function enqueue_jobs(text, json[], boolean);
create function enqueue_jobs(job text, payloads json[], bulk boolean, groups text[] default null)
returns void language sql security definer set search_path = public, pg_temp as $$
  select graphile_worker.add_job(job, p.payload, groups[p.n], clock_timestamp(), 25, null, case when bulk then 10 else 0 end) from unnest(payloads) with ordinality p(payload, n) order by p.n
$$;
revoke execute on function enqueue_jobs from public;
grant execute on function enqueue_jobs to trunkline_app, trunkline_system;
