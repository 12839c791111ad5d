alter table organization
  add column timezone text not null default 'UTC',
  add column ai_eav_enabled boolean not null default false,
  add column updated_at timestamptz not null default now();
create index concurrently organization_owner on organization (owner_id);
create index concurrently organization_admin_user on organization_admin (user_id);
create index concurrently company_organization on company (organization_id);

-- plpgsql, because the tables of later modules don't exist yet when this runs.

-- Figures of companies; calls and texts since `since`.
create function organization_figures(companies bigint[], since timestamptz)
returns table (company_id bigint, numbers int, users int, unread int, calls int, texts int)
language plpgsql stable as $$
begin
  return query select c.id, k.numbers,
    (select count(*)::int from membership m where m.company_id = c.id and m.role <> 'deactivated'),
    k.unread,
    (select count(*)::int from call l where l.company_id = c.id and l.started_at >= since),
    (select count(*)::int from conversation_item i where i.company_id = c.id and i.kind = 'message'
      and i.created_at >= since and i.deleted_at is null)
  from unnest(companies) c(id) cross join lateral company_counts(c.id) k;
end $$;

-- What stops when a company is parked or deactivated.
create function company_status_effects(company bigint)
returns table (numbers int, ports int, scheduled_texts int, campaigns jsonb)
language plpgsql stable as $$
begin
  return query select
    (select count(*)::int from number n where n.company_id = company and n.status <> 'released'),
    (select count(*)::int from port_request p where p.company_id = company
      and p.status in ('documentsRequested', 'submitted', 'inProgress', 'firmOrderScheduled')),
    (select count(*)::int from conversation_item i where i.company_id = company
      and i.kind = 'scheduledmessage' and i.details ->> 'state' = 'pending'
      and i.deleted_at is null),
    (select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'title', k.title) order by k.id),
        '[]') from campaign k
      where k.company_id = company and (k.state in ('queued', 'sending')
        or (k.state = 'paused' and k.auto_resume_at is not null)));
end $$;
