-- When the company subscribed; for those that already have a plan, when their row was made.
alter table subscription add column subscribed_at timestamptz;
update subscription set subscribed_at = created_at where plan is not null;

-- The yearly plan, offered to companies that pay by the month (A19.4).
create table yearly_upgrade_offer (
  company_id bigint not null,
  id bigint not null default next_id(),
  from_plan text not null,
  to_plan text not null,
  monthly_price_cents bigint not null,
  yearly_price_cents bigint not null,
  expires_at timestamptz not null,
  viewed_at timestamptz,
  used_at timestamptz,
  created_at timestamptz not null,
  primary key (company_id, id)
);
create index yearly_upgrade_offer_latest on yearly_upgrade_offer (company_id, created_at desc);
select tenant_table('yearly_upgrade_offer');
