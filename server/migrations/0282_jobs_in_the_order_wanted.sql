-- Jobs of one transaction are begun in the order they were wanted: of those that are due at the same moment the queue takes any.
create or replace function enqueue_job(job text, payload json, queue text, run_at timestamptz, attempts int, key text, key_mode text)
returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform graphile_worker.add_job(job, payload, queue, coalesce(run_at, clock_timestamp()), attempts, key, null, null, coalesce(key_mode, 'replace'));
end $$;
