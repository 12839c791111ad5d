-- Money that goes back: stored before the provider is asked, entered in the books when it said yes.
create table payment_refund (
  company_id bigint not null,
  id bigint not null default next_id(),
  credit_note_id bigint not null,
  -- The charge at the provider that is refunded; null: it is paid back by hand.
  attempt_id bigint,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null,
  state text not null default 'pending' check (state in ('pending', 'done', 'refused')),
  reason text,
  -- The plan ends with it: `first` also says that the company was never subscribed then.
  ends_plan text check (ends_plan in ('ends', 'first')),
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (company_id, id),
  unique (company_id, credit_note_id),
  foreign key (company_id, credit_note_id) references invoice (company_id, id),
  foreign key (company_id, attempt_id) references payment_attempt (company_id, id),
  check ((state = 'pending') = (settled_at is null))
);
select tenant_table('payment_refund');

create table sandbox.refund (
  key text primary key,
  charge_key text not null references sandbox.payment (key),
  amount_cents bigint not null,
  at timestamptz not null
);
grant select, insert, update, delete on sandbox.refund to trunkline_system;

-- How far an operator moved the clock of an account of the sandbox: its dates are moved back
-- instead, so that all else can ask the one clock.
alter table subscription add column clock_moved_days int not null default 0;
