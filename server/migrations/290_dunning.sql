-- What follows when a plan isn't paid, day by day (`contract/src/billing/dunning.ts`).

-- While it is set, nothing goes out and only those who can pay get in. Calls still come in.
alter table company add column suspended_at timestamptz;

alter table subscription
  -- Days are counted from here; null: nothing is owed, or it isn't past due.
  add column dunning_since timestamptz,
  -- How many of the steps were taken.
  add column dunning_step int not null default 0 check (dunning_step >= 0),
  -- When the next one is due; null: none is.
  add column dunning_next_at timestamptz;
create index concurrently subscription_dunning on subscription (dunning_next_at)
  where dunning_next_at is not null;
-- Who is past due already starts with the first day, so that no one is suspended by an update.
update subscription set dunning_since = now(), dunning_next_at = now() + interval '1 day'
  where state = 'retry_period';

-- A company's standing for whatever goes out: its status, or 3 while it is suspended.
create function standing_of(status smallint, suspended_at timestamptz) returns smallint
language sql immutable parallel safe as $$
  select case when status = 0 and suspended_at is not null then 3 else status end
$$;

alter table campaign drop constraint campaign_paused_reason_check;
alter table campaign add constraint campaign_paused_reason_check check (paused_reason in (
  'by_hand', 'stale_schedule', 'window_closed', 'error_rate', 'carrier', 'company_inactive',
  'company_suspended', 'feature_off'));

-- A number of the company that can text this phone, for notices to billing contacts: as for codes
-- of people (`code_sender`), in the company's own transaction.
create function notice_sender(of_company bigint, target text, from_plan text)
returns table (number text, provider_id smallint, provider_ref text)
language sql stable as $$
  select n.number, n.provider_id, n.provider_ref
  from company c join number n on n.company_id = c.id
    cross join lateral (select c.settings -> 'texting_requires_verification' asked) k
  where c.id = of_company and n.status = 'active'
    and n.sms_enabled and n.number <> target and n.number ~ from_plan
    and (k.asked = 'false' or n.sms_verification_status = 'approved'
      or (coalesce(k.asked, 'null') = 'null'
        and (n.provider_ref ~ '^(sb|sandbox)-' or n.sms_verification_status = 'not_required')))
    and not exists (
      select from opt_out o where o.company_id = n.company_id and o.number = target)
  order by n.purchased_at, n.id limit 1
$$;
