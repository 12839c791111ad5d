-- Lists of people show who also acts in the organization's role: they follow its administrators.
create function publish_member(organization bigint, person bigint) returns void
language sql as $$
  insert into outbox (company_id, event, data)
    select m.company_id, 'company_user.changed',
        jsonb_build_object('companyId', m.company_id, 'userId', person)
      from company c join membership m on m.company_id = c.id and m.user_id = person
      where c.organization_id = organization
$$;
revoke execute on function publish_member from public;
grant execute on function publish_member to trunkline_system;

create or replace function organization_admin_access() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    perform end_lost_access(c.id, old.user_id) from company c
      where c.organization_id = old.organization_id order by c.id;
  end if;
  perform publish_member(coalesce(new.organization_id, old.organization_id),
    coalesce(new.user_id, old.user_id));
  perform publish_access(array[old.user_id, new.user_id]);
  return null;
end $$;
