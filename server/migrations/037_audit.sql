-- Where a change came from, and who acted in another person's place. `via_user_id` is the platform's
-- staff acting through a company; `impersonator_id` is the staff member who acts as `actor_id`, with
-- the reason given for it.
alter table audit_log add column user_agent text;
alter table audit_log add column session_id bigint;
alter table audit_log add column via_user_id bigint;
alter table audit_log add column impersonator_id bigint;
alter table audit_log add column reason text;

create index concurrently audit_log_newest on audit_log (company_id, at, id);
create index concurrently audit_log_actor on audit_log (company_id, actor_id, at, id);
create index concurrently audit_log_subject on audit_log (company_id, subject, at, id);
create index concurrently audit_log_old on audit_log (at);

-- No role of the application may change or remove a row. Only this function removes old ones, a
-- batch at a time, and never one that is younger than ninety days, whatever it is asked for. It runs
-- as the owner, who is bound by forced row-level security too and so needs a policy.
do $$
begin
  execute format('create policy retention_reads on audit_log for select to %I using (true)', current_user);
  execute format('create policy retention on audit_log for delete to %I using (at < now() - interval ''90 days'')', current_user);
end $$;

create function delete_old_audit_rows(older_than timestamptz, most int)
returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare deleted int;
begin
  delete from audit_log where ctid = any (array(
    select ctid from audit_log
    where at < least(older_than, now() - interval '90 days') order by at limit most));
  get diagnostics deleted = row_count;
  return deleted;
end $$;
revoke execute on function delete_old_audit_rows from public;
grant execute on function delete_old_audit_rows to trunkline_system;
