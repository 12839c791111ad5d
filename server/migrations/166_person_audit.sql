-- What a person does to their own sign-in is of no company, and each company they belong to must be able
-- to read it: one row in the audit log of each, whoever's transaction of the system role it is.
create function audit_person(
  of_person bigint, act text, said jsonb, from_ip text, agent text, of_session bigint, request text,
  happened timestamptz
) returns void language plpgsql as $$
declare in_company bigint;
begin
  for in_company in select m.company_id from membership m
    where m.user_id = of_person and m.role <> 'deactivated' order by m.company_id
  loop
    insert into audit_log (company_id, actor_id, actor_kind, action, subject, after, ip, user_agent,
        session_id, request_id, at)
      values (in_company, of_person, 'user', act, 'user:' || of_person, said, from_ip, agent,
        of_session, request, happened);
    insert into outbox (company_id, event, data)
      values (in_company, 'audit.recorded', jsonb_build_object('companyId', in_company));
  end loop;
end $$;
