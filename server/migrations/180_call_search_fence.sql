-- What is written since the last vacuum is looked through one by one in every search: little of it.
alter index call_search_text_words set (gin_pending_list_limit = 256);
alter index call_search_text_party set (gin_pending_list_limit = 256);

-- The words are fenced from the times: without statistics the planner would rather read a company's
-- calls in the order of time for a word that no one said. The fence is read no further than the limit.
create or replace function calls_matching(
  company bigint, wanted jsonb, numbers bigint[], since timestamptz, before timestamptz, most int
)
returns table (call_id bigint, started_at timestamptz)
language plpgsql stable rows 200 security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
declare what text := call_search_condition(wanted);
begin
  if company is distinct from current_company() or what = '' then return; end if;
  return query execute 'with found as materialized (select w.call_id, w.started_at, w.number_id from call_search_text w where w.company_id = $1' || what || ')
    select found.call_id, found.started_at from found where ($2 is null or found.number_id = any($2)) and found.started_at >= $3 and found.started_at < $4 limit $5' using company, numbers, since, before, most;
end $$;
