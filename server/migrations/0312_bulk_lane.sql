-- What was said by bulk work (an import, a bulk change): reactions to it are bulk work, too, and stand behind nobody's.
alter table outbox add column bulk boolean not null default false;

-- Jobs in one statement, each begun in the order it was wanted. Bulk ones have a lower priority, so that whoever looks for other
-- work does not walk past thousands of them.
create function enqueue_jobs(job text, payloads json[], bulk boolean) returns void language sql security definer set search_path = public, pg_temp as $$
  select graphile_worker.add_job(job, p.payload, null, clock_timestamp(), 25, null, case when bulk then 10 else 0 end) from unnest(payloads) with ordinality p(payload, n) order by p.n
$$;
revoke execute on function enqueue_jobs from public;
grant execute on function enqueue_jobs to trunkline_app, trunkline_system;

-- A table's statistics are its owner's to take; whoever wrote many rows asks for it here.
create function take_statistics(tables text[]) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare one text;
begin
  foreach one in array tables loop
    if one not in ('contact', 'contact_number', 'contact_trace', 'contact_group_member', 'contact_label_use', 'opt_out', 'campaign_recipient', 'number') then raise 'statistics of % are nobody''s to ask for', one; end if;
    execute format('analyze (skip_locked) %I', one);
  end loop;
end $$;
revoke execute on function take_statistics from public;
grant execute on function take_statistics to trunkline_system;

-- Without being asked: after a few hundred changes, not after a tenth of a large table.
do $$
declare one text;
begin
  foreach one in array array['contact', 'contact_number', 'contact_trace', 'contact_group_member', 'contact_label_use', 'opt_out', 'block', 'conversation', 'conversation_party', 'conversation_item', 'campaign_recipient', 'number', 'call', 'outbox'] loop
    execute format('alter table %I set (autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02)', one);
  end loop;
end $$;
