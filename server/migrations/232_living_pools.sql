-- Deleted tracking pools aren't counted.
create or replace function field_entities(company bigint, entity int) returns int language sql stable as $$
  select case entity
    when 1 then (select count(*)::int from number x where x.company_id = company and x.status <> 'released')
    when 2 then 1
    when 3 then (select count(*)::int from tracking_pool x where x.company_id = company and x.deleted_at is null)
    when 4 then (select count(c.organization_id)::int from company c where c.id = company)
    when 5 then (select count(*)::int from membership x where x.company_id = company and x.role <> 'deactivated')
    when 6 then (select count(*)::int from call x where x.company_id = company)
    when 7 then (select count(*)::int from contact x where x.company_id = company and x.deleted_at is null)
    else 0 end
$$;
