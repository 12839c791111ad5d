-- What happened to a person's sign-in is also of the companies that they get into through an organization,
-- without a role of their own there. And of what one company did to it, only the others need to be told.
drop function audit_person;
create function audit_person(
  of_person bigint, act text, said jsonb, from_ip text, agent text, of_session bigint, request text,
  happened timestamptz, except_company bigint default null
) returns void language plpgsql as $$
declare in_company bigint;
begin
  for in_company in
    select m.company_id from membership m where m.user_id = of_person and m.role <> 'deactivated'
      and m.company_id is distinct from except_company
    union select c.id from company c where c.organization_id in (select a.organization_id from organization_admin a
        where a.user_id = of_person union select o.id from organization o where o.owner_id = of_person)
      and c.id is distinct from except_company
    order by 1
  loop
    insert into audit_log (company_id, actor_id, actor_kind, action, subject, after, ip, user_agent,
        session_id, request_id, at)
      values (in_company, of_person, 'user', act, 'user:' || of_person, said, from_ip, agent,
        of_session, request, happened);
    insert into outbox (company_id, event, data)
      values (in_company, 'audit.recorded', jsonb_build_object('companyId', in_company));
  end loop;
end $$;
