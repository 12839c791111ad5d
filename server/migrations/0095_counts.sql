-- What a company's page counts, now that the tables it counts exist.
create or replace function company_counts(company bigint) returns table (numbers int, contacts int, unread int) language sql stable as $$
  select (select count(*)::int from number n where n.company_id = company and n.status <> 'released'),
    (select count(*)::int from contact k where k.company_id = company and k.deleted_at is null),
    (select count(*)::int from conversation c where c.company_id = company and c.unread > 0 and c.archived_at is null and c.deleted_at is null)
$$;
