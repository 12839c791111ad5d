-- A tag that many calls carry is merged by a job: until it is done, the tag that goes is deleted
-- and says which one takes its place.
alter table tag add column merged_into bigint;

-- Asked by fields: whatever carried one tag carries the other. True: its calls follow by a job.
drop function rename_tag_usage;
create function rename_tag_usage(company bigint, gone bigint, kept bigint) returns boolean
language plpgsql as $$
declare few bigint[] := array(select call_id from call_tag where company_id = company and tag_id = gone limit 51);
begin
  insert into number_tag (company_id, number_id, tag_id) select company_id, number_id, kept from number_tag where company_id = company and tag_id = gone on conflict do nothing;
  delete from number_tag where company_id = company and tag_id = gone;
  update number_template set tag_ids = case when kept = any (tag_ids) then array_remove(tag_ids, gone) else array_replace(tag_ids, gone, kept) end where company_id = company and gone = any (tag_ids);
  update forward_contact set tag_ids = case when kept = any (tag_ids) then array_remove(tag_ids, gone) else array_replace(tag_ids, gone, kept) end where company_id = company and gone = any (tag_ids);
  if cardinality(few) > 50 then
    perform enqueue_job('calls.moveTag', json_build_object('companyId', company, 'gone', gone), 'call-names-' || company, null, 25, 'move-tag:' || company || ':' || gone, null);
    return true;
  end if;
  insert into call_tag (company_id, call_id, tag_id, added_by, added_at) select company_id, call_id, kept, added_by, added_at from call_tag where company_id = company and tag_id = gone on conflict do nothing;
  delete from call_tag where company_id = company and tag_id = gone;
  return false;
end $$;
