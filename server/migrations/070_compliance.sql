-- Numbers that may not be texted: one row while opted out. Kept by number, not by contact, so it
-- survives import, edit, merge, deletion and re-creation.
create table opt_out (
  company_id bigint not null,
  number text not null,
  source text not null
    check (source in ('keyword', 'carrier_error', 'manual', 'import', 'api', 'complaint')),
  number_id bigint,
  opted_out_at timestamptz not null,
  primary key (company_id, number)
) with (autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
select tenant_table('opt_out');

-- Every opt-out and opt-in. Append-only: nobody may change or remove a row.
create table opt_out_history (
  company_id bigint not null,
  id bigint not null default next_id(),
  number text not null,
  action text not null check (action in ('out', 'in')),
  source text not null,
  number_id bigint,
  proof text,
  actor_id bigint,
  at timestamptz not null,
  -- Who did it, by the name they had then; their note is in `proof`.
  actor_name text,
  primary key (company_id, id)
);
create index opt_out_history_number on opt_out_history (company_id, number, id);
select tenant_table('opt_out_history');
revoke update, delete on opt_out_history from trunkline_app, trunkline_system;

-- The contact of a number, one look-up by the index of numbers whatever statistics there are
-- (docs/decisions/0050-lookups-without-statistics.md): an import of opt-outs once read all
-- contacts for each.
create function live_contact(company bigint, of text) returns bigint language sql stable as $$
  select c.id from contact c where c.company_id = company and c.number >= of and c.number <= of and c.deleted_at is null order by c.number limit 1
$$;

-- A contact's flag follows the opt-outs in the same transaction, whichever of them is written: a
-- person who opted out is never shown as someone who can be texted. Events only update screens.
create function contact_follows_ledger() returns trigger language plpgsql as $$
declare at timestamptz := (select o.opted_out_at from opt_out o where o.company_id = new.company_id and o.number = new.number);
begin
  -- A file may say so before the ledger does.
  new.unsubscribed_at := case when tg_op = 'INSERT' then coalesce(at, new.unsubscribed_at) else at end;
  return new;
end $$;
create trigger follow_ledger_made before insert on contact
  for each row execute function contact_follows_ledger();
create trigger follow_ledger_moved before update on contact
  for each row
  when (
    new.number is distinct from old.number
    or (old.deleted_at is not null and new.deleted_at is null)
  )
  execute function contact_follows_ledger();

create function ledger_marks_contact() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update contact set unsubscribed_at = new.opted_out_at where company_id = new.company_id and id = live_contact(new.company_id, new.number) and unsubscribed_at is distinct from new.opted_out_at;
  else
    update contact set unsubscribed_at = null where company_id = old.company_id and id = live_contact(old.company_id, old.number) and unsubscribed_at is not null;
  end if;
  return null;
end $$;
create trigger mark_contact after insert or delete on opt_out
  for each row execute function ledger_marks_contact();

-- Blocked callers (action 1) and exceptions (action 0). `target` is E.164, 'anonymous', or a prefix
-- ending in '*'. `everywhere`: made by platform staff, for every company.
create table block (
  company_id bigint not null,
  id bigint not null default next_id(),
  target text not null,
  action smallint not null default 1 check (action in (0, 1)),
  everywhere boolean not null default false,
  number_id bigint,
  created_by bigint,
  created_by_name text,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  unique nulls not distinct (company_id, target, number_id, action, everywhere)
) with (autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
create index block_everywhere on block (target) where everywhere;
create index block_newest on block (company_id, id desc);
select tenant_table('block');
create policy everywhere on block for select to trunkline_app using (everywhere);

-- Asked by contact imports: which of these numbers are opted out or blocked. The most exact rule
-- decides, an exception before a block (as isKeptOut in compliance/rules.ts), among those that hold
-- for the whole company.
create function contact_import_facts(company bigint, among text[])
returns table (number text, opted_out_at timestamptz, blocked boolean) language sql stable as $$
  with rule as (select b.target, b.action, b.everywhere from block b where (b.company_id = company or b.everywhere) and b.number_id is null and (b.target = any (among) or right(b.target, 1) = '*')),
  decided as (
    select distinct on (n.number) n.number, r.action = 1 as blocked from unnest(among) n (number) join rule r on r.target = n.number or (right(r.target, 1) = '*' and starts_with(n.number, left(r.target, -1)))
    order by n.number, (case when right(r.target, 1) = '*' then length(r.target) else 100 end) * 8 + case when r.everywhere then 0 else 2 end + case when r.action = 0 then 1 else 0 end desc)
  select n.number, o.opted_out_at, coalesce(d.blocked, false) from unnest(among) n (number)
    left join opt_out o on o.company_id = company and o.number = n.number left join decided d on d.number = n.number
    where o.number is not null or d.blocked
$$;

-- SMS registration. A brand is who sends, a campaign is what for; each kind of number (local,
-- toll-free) has its own review. Forms are kept as filled in (`details`), because drafts may lack
-- anything.
create table sms_brand (
  company_id bigint not null,
  id bigint not null default next_id(),
  details jsonb not null default '{}',
  status text not null default 'draft'
    check (status in (
      'draft', 'submitted', 'in_review', 'action_required', 'approved', 'rejected', 'expired',
      'suspended'
    )),
  score smallint check (score between 0 and 100),
  provider_ref text,
  paid_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id)
);
select tenant_table('sms_brand');

create table sms_campaign (
  company_id bigint not null,
  id bigint not null default next_id(),
  brand_id bigint not null,
  details jsonb not null default '{}',
  is_draft boolean not null default true,
  paid_at timestamptz,
  submitted_at timestamptz,
  decided_at timestamptz,
  created_by bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, brand_id) references sms_brand (company_id, id)
);
create index sms_campaign_newest on sms_campaign (company_id, id desc) where deleted_at is null;
create index sms_campaign_brand on sms_campaign (company_id, brand_id);
select tenant_table('sms_campaign');

-- A review at a carrier. `attempt` counts submissions and is part of the idempotency key, so that
-- asking twice submits once.
create table registration_review (
  company_id bigint not null,
  campaign_id bigint not null,
  kind text not null check (kind in ('local', 'toll_free')),
  carrier text not null,
  status text not null
    check (status in (
      'submitted', 'in_review', 'action_required', 'approved', 'rejected', 'canceling', 'expired',
      'suspended'
    )),
  attempt int not null default 1,
  provider_ref text,
  rejection jsonb not null default '[]',
  submitted_at timestamptz not null,
  decided_at timestamptz,
  checked_at timestamptz,
  primary key (company_id, campaign_id, kind),
  foreign key (company_id, campaign_id) references sms_campaign (company_id, id)
);
-- Across companies: reviews without a decision, and webhooks that name only the carrier's id.
create index registration_review_waiting on registration_review (checked_at)
  where status in ('submitted', 'in_review', 'canceling');
create index registration_review_provider on registration_review (provider_ref) where provider_ref is not null;
select tenant_table('registration_review');

-- A number is in one registration at most.
create table sms_campaign_number (
  company_id bigint not null,
  number_id bigint not null,
  campaign_id bigint not null,
  number text not null,
  kind text not null check (kind in ('local', 'toll_free')),
  -- `chosen`: in a draft, unknown to the carrier. `leaving`: the carrier is asked to remove it.
  state text not null default 'chosen'
    check (state in ('chosen', 'asked', 'approved', 'rejected', 'leaving')),
  reason text,
  added_at timestamptz not null,
  primary key (company_id, number_id),
  foreign key (company_id, campaign_id) references sms_campaign (company_id, id)
);
create index sms_campaign_number_campaign on sms_campaign_number (company_id, campaign_id);
select tenant_table('sms_campaign_number');

-- Every review. Append-only.
create table registration_event (
  company_id bigint not null,
  id bigint not null default next_id(),
  campaign_id bigint not null,
  what text not null,
  kind text,
  by_name text not null,
  rejection jsonb not null default '[]',
  numbers jsonb not null default '[]',
  at timestamptz not null,
  primary key (company_id, id)
);
create index registration_event_campaign on registration_event (company_id, campaign_id, id desc);
select tenant_table('registration_event');
revoke update, delete on registration_event from trunkline_app, trunkline_system;
