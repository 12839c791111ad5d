-- Money: the plan of each company, what it owes and paid, and who hears of it.

-- One row for each company that has or had a plan, or a card.
create table subscription (
  company_id bigint primary key,
  id bigint not null default next_id(),
  state text not null default 'not_subscribed'
    check (state in ('active', 'canceling', 'expired', 'refunding', 'retry_period', 'not_subscribed')),
  -- Why it is in this state, where that is not plain.
  state_reason text,
  plan text,
  -- Its periods are counted from here, so that one which began on the 31st ends on the last day of
  -- a shorter month and returns to the 31st.
  anchor_at timestamptz,
  period_start timestamptz,
  period_end timestamptz,
  trial_ends_at timestamptz,
  -- The first plan of a company is free until its trial ends; there is one trial only.
  had_trial boolean not null default false,
  cancel_at timestamptz,
  cancel_reason text,
  cancel_comment text,
  pending_plan text,
  pending_at timestamptz,
  past_due_since timestamptz,
  receives_invoice_emails boolean not null default true,
  provider text not null,
  -- The provider's name for the card on file. Never a number: we don't have it.
  card_reference text,
  card_brand text,
  card_last4 text check (card_last4 ~ '^[0-9]{4}$'),
  card_exp_month int check (card_exp_month between 1 and 12),
  card_exp_year int,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((state in ('not_subscribed', 'expired')) or (plan is not null and period_end is not null))
);
create unique index subscription_id on subscription (company_id, id);
create index subscription_due on subscription (period_end)
  where state in ('active', 'canceling');
select tenant_table('subscription');

-- Name and address that invoices are made out to.
create table billing_details (
  company_id bigint primary key,
  name text not null default '',
  address text not null default '',
  address_2 text not null default '',
  city text not null default '',
  state text not null default '',
  zip text not null default '',
  country text not null default '',
  updated_at timestamptz not null
);
select tenant_table('billing_details');

-- Every change of what a company owes, in minor units: above zero it owes more. The balance is the
-- sum. An entry is written once for each cause and never changed: what was wrong is restated by an
-- entry of the opposite amount.
create table ledger_entry (
  company_id bigint not null,
  id bigint not null default next_id(),
  cause text not null check (length(cause) between 1 and 200),
  kind text not null check (kind in ('charge', 'payment', 'credit', 'refund', 'correction')),
  amount_cents bigint not null check (amount_cents <> 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  description text not null,
  -- A correction names the entry that it takes back, once.
  corrects_id bigint,
  at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, cause),
  unique (company_id, corrects_id),
  foreign key (company_id, corrects_id) references ledger_entry (company_id, id),
  check ((kind = 'correction') = (corrects_id is not null)),
  check (kind <> 'charge' or amount_cents > 0),
  check (kind <> 'refund' or amount_cents > 0),
  check (kind not in ('payment', 'credit') or amount_cents < 0)
);
create index ledger_entry_at on ledger_entry (company_id, at, id);
select tenant_table('ledger_entry');
revoke update, delete on ledger_entry from trunkline_app, trunkline_system;

-- Holds for the owner of the database as well.
create function refuse_change_of_books() returns trigger language plpgsql as $$
begin
  raise exception 'The books are only added to: % of % refused', tg_op, tg_table_name
    using errcode = '42501';
end $$;
create trigger append_only before update or delete on ledger_entry
  for each row execute function refuse_change_of_books();
create trigger append_only_truncate before truncate on ledger_entry
  for each statement execute function refuse_change_of_books();

-- A charge at the provider: stored before it is asked for, under a key (company and id) that makes
-- asking again harmless.
create table payment_attempt (
  company_id bigint not null,
  id bigint not null default next_id(),
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null,
  state text not null default 'pending'
    check (state in ('pending', 'confirm', 'paid', 'declined')),
  -- What the provider said, for a person to read.
  reason text,
  provider text not null,
  card_reference text not null,
  card_last4 text not null,
  provider_reference text,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (company_id, id),
  check ((state in ('paid', 'declined')) = (settled_at is not null))
);
-- One at a time: two at once would charge twice what is owed.
create unique index payment_attempt_open on payment_attempt (company_id)
  where state in ('pending', 'confirm');
create index payment_attempt_latest on payment_attempt (company_id, created_at desc);
select tenant_table('payment_attempt');

create table billing_contact (
  company_id bigint not null,
  id bigint not null default next_id(),
  first_name text not null,
  last_name text not null default '',
  email text not null,
  phone text,
  email_notifications boolean not null default true,
  sms_notifications boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  check (phone is not null or not sms_notifications)
);
create unique index billing_contact_email on billing_contact (company_id, lower(email));
select tenant_table('billing_contact');

-- The simulated payment provider's own books.
create table sandbox.payment (
  key text primary key,
  reference text not null,
  card text not null,
  amount_cents bigint not null,
  currency text not null,
  state text not null check (state in ('paid', 'declined', 'confirm', 'refunded')),
  reason text,
  at timestamptz not null
);
grant select, insert, update, delete on sandbox.payment to trunkline_system;
