-- What a plan includes is included each month, also where the plan is paid by the year. Null: usage
-- is counted over the whole period.
alter table subscription add column usage_from timestamptz, add column usage_until timestamptz;

-- Running years: the month that is running, counted from where the period began.
with running as (
  select company_id, period_start, period_end,
    (extract(year from age(now(), period_start)) * 12
      + extract(month from age(now(), period_start)))::int months
  from subscription
  where plan like '%\_yearly' and trial_ends_at is null and period_end > now()
    and state in ('active', 'canceling', 'retry_period')
)
update subscription s set
  usage_from = greatest(r.period_start, r.period_start + make_interval(months => r.months)),
  usage_until = least(r.period_end, r.period_start + make_interval(months => r.months + 1))
from running r where r.company_id = s.company_id;

create index concurrently subscription_due on subscription (least(period_end, usage_until))
  where state in ('active', 'canceling');
