-- SMS verification (decisions A13). A brand is who sends, a campaign what for; each kind of number (local, toll-free) has a
-- review of its own. What people fill in stands as they said it in `details`, because drafts may lack anything.
create table sms_brand (
  company_id bigint not null, id bigint not null default next_id(), details jsonb not null default '{}',
  status text not null default 'draft' check (status in ('draft', 'submitted', 'in_review', 'action_required', 'approved', 'rejected', 'expired', 'suspended')),
  score smallint check (score between 0 and 100), provider_ref text, paid_at timestamptz, created_at timestamptz not null, updated_at timestamptz not null,
  primary key (company_id, id)
);
select tenant_table('sms_brand');

create table sms_campaign (
  company_id bigint not null, id bigint not null default next_id(), brand_id bigint not null, details jsonb not null default '{}', is_draft boolean not null default true,
  paid_at timestamptz, submitted_at timestamptz, decided_at timestamptz, created_by bigint, created_at timestamptz not null, updated_at timestamptz not null, deleted_at timestamptz,
  primary key (company_id, id), foreign key (company_id, brand_id) references sms_brand (company_id, id)
);
create index sms_campaign_newest on sms_campaign (company_id, id desc) where deleted_at is null;
create index sms_campaign_brand on sms_campaign (company_id, brand_id);
select tenant_table('sms_campaign');

-- `attempt` counts submissions; the carrier is asked under a key that names it, so that asking twice is once.
create table sms_review (
  company_id bigint not null, campaign_id bigint not null, kind text not null check (kind in ('local', 'toll_free')), carrier text not null,
  status text not null check (status in ('submitted', 'in_review', 'action_required', 'approved', 'rejected', 'canceling', 'expired', 'suspended')),
  attempt int not null default 1, provider_ref text, rejection jsonb not null default '[]', submitted_at timestamptz not null, decided_at timestamptz, asked_at timestamptz,
  primary key (company_id, campaign_id, kind), foreign key (company_id, campaign_id) references sms_campaign (company_id, id)
);
-- What the carrier still owes an answer to, across companies, and a report that names only its own id.
create index sms_review_waiting on sms_review (asked_at) where status in ('submitted', 'in_review', 'canceling');
create index sms_review_provider on sms_review (provider_ref) where provider_ref is not null;
select tenant_table('sms_review');

-- A number is part of one registration at most.
create table sms_campaign_number (
  company_id bigint not null, number_id bigint not null, campaign_id bigint not null, number text not null, kind text not null check (kind in ('local', 'toll_free')),
  -- `chosen`: in a draft, the carrier knows nothing of it yet. `leaving`: the carrier is asked to let it go.
  state text not null default 'chosen' check (state in ('chosen', 'asked', 'approved', 'rejected', 'leaving')), reason text, added_at timestamptz not null,
  primary key (company_id, number_id), foreign key (company_id, campaign_id) references sms_campaign (company_id, id), foreign key (company_id, number_id) references number (company_id, id)
);
create index sms_campaign_number_campaign on sms_campaign_number (company_id, campaign_id);
select tenant_table('sms_campaign_number');

-- Every review stays. Append-only.
create table sms_history (
  company_id bigint not null, id bigint not null default next_id(), campaign_id bigint not null, what text not null, kind text, by_name text not null, rejection jsonb not null default '[]', numbers jsonb not null default '[]', at timestamptz not null,
  primary key (company_id, id)
);
create index sms_history_campaign on sms_history (company_id, campaign_id, id desc);
select tenant_table('sms_history');
revoke update, delete on sms_history from trunkline_app, trunkline_system;

-- What was sent in the last second, by number, campaign and brand: the registered rates that several workers share.
-- `recent`: [[milliseconds, segments], …]. `promised_at`: until when turns are given out already.
create table send_rate (company_id bigint not null, key text not null, recent jsonb not null default '[]', promised_at timestamptz, primary key (company_id, key)) with (fillfactor = 50);
select tenant_table('send_rate');

-- When a waiting text's turn comes.
alter table conversation_item add column turn_at timestamptz;

-- Numbers belong to a module that compliance does not know: what a registration may ask of them.
create function registrable_numbers(company bigint) returns table (id bigint, number text, label text, category smallint, live boolean, sms_enabled boolean) language sql stable as
  $$ select n.id, n.number, n.label, n.category, n.status = 'active', n.sms_enabled from number n where n.company_id = company and n.status <> 'released' $$;

-- The sandbox's reviewer keeps books of its own.
create table sandbox.registration (
  id bigint primary key default next_id(), key text not null unique, kind text not null, papers jsonb not null, state text not null default 'in_review', verdict jsonb not null default '[]', score smallint,
  numbers jsonb not null default '[]', at timestamptz not null default clock_timestamp(), decided_at timestamptz
);
grant select, insert, update, delete on sandbox.registration to trunkline_system;
