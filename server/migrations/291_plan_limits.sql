-- What a company's plan allows, beside the company, so that every door reads it where it reads the
-- company. The module `billing` writes it whenever the plan changes.
alter table company
  -- Features that the plan lacks: they are off, whatever the settings say.
  add column plan_lacks text[] not null default '{}',
  -- How many people the plan allows; null: as many as it likes.
  add column plan_seats int check (plan_seats > 0);

-- What was promised but isn't used yet: the credits of a campaign from its start to its end. It
-- counts as used, and shrinks as the usage itself is written.
create table usage_reservation (
  company_id bigint not null,
  cause text not null check (length(cause) between 1 and 200),
  component text not null,
  quantity int not null check (quantity >= 0),
  created_at timestamptz not null,
  primary key (company_id, cause)
);
select tenant_table('usage_reservation');

create or replace function note_campaign_usage() returns trigger language plpgsql as $$
begin
  with noted as (
    insert into usage_entry (company_id, component, cause, quantity, number_id, at)
      select n.company_id, 'text_credits', 'recipient:' || n.id, greatest(1, coalesce(n.credits, 1)),
        c.number_id, clock_timestamp()
      from new_rows n join old_rows o on o.company_id = n.company_id and o.id = n.id
        join campaign c on c.company_id = n.company_id and c.id = n.campaign_id
      where n.state in ('sent', 'delivered', 'undelivered')
        and o.state not in ('sent', 'delivered', 'undelivered')
      on conflict (company_id, component, cause) do nothing
      returning company_id, cause, quantity),
  spent as (
    select n.company_id, 'campaign:' || n.campaign_id as cause, sum(u.quantity)::int as quantity
      from noted u join new_rows n on n.company_id = u.company_id
        and 'recipient:' || n.id = u.cause
      group by 1, 2)
  update usage_reservation r set quantity = greatest(0, r.quantity - s.quantity)
    from spent s where r.company_id = s.company_id and r.cause = s.cause;
  return null;
end $$;

-- What a campaign didn't use is free again when it ends, or goes back to being a draft.
create function release_campaign_credits() returns trigger language plpgsql as $$
begin
  delete from usage_reservation
    where company_id = old.company_id and cause = 'campaign:' || old.id;
  return null;
end $$;
create trigger credits_of_ended_campaign after update of state on campaign
  for each row when (new.state not in ('pending', 'queued', 'sending', 'paused')
    and old.state in ('pending', 'queued', 'sending', 'paused'))
  execute function release_campaign_credits();
create trigger credits_of_deleted_campaign after delete on campaign
  for each row execute function release_campaign_credits();
