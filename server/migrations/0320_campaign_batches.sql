-- Sending changes a recipient's row where it stands: no index holds what changes while texts go out, and its page has room for the
-- row's next versions (HOT updates). What is written once for many recipients stands in the batch they were claimed in.
create table campaign_batch (
  company_id bigint not null, id bigint not null default next_id(), campaign_id bigint not null,
  claimed_by text not null, claimed_at timestamptz not null default clock_timestamp(), carrier text not null, text_version int not null,
  -- Side by side: whom, with which text, how many segments and credits.
  recipient_ids bigint[] not null, texts text[] not null, segments int[] not null, credits int[] not null, size int not null,
  -- When nothing of it was on its way any more; whether all that left has its place in the inbox.
  settled_at timestamptz, filed boolean not null default false,
  primary key (company_id, id), foreign key (company_id, campaign_id) references campaign (company_id, id) on delete cascade
);
create index campaign_batch_newest on campaign_batch (company_id, campaign_id, id);
create index campaign_batch_unfiled on campaign_batch (company_id, campaign_id, id) where not filed;
-- A crash leaves batches open; those of all companies are looked for at once.
create index campaign_batch_open on campaign_batch (claimed_at) where settled_at is null;

-- Recipients that wait once more: the carrier took nothing, or somebody asked to try again. All others wait behind `campaign.reached`.
-- No foreign key: it would hold the campaign's row before those who lock it at the end of their work, and two would wait for each other.
create table campaign_again (
  company_id bigint not null, campaign_id bigint not null, recipient_id bigint not null, zone text not null,
  primary key (company_id, campaign_id, recipient_id)
);

-- How far claiming came: the last recipient claimed of each of `zones`, in their order. When a batch was last claimed.
alter table campaign add column reached bigint[] not null default '{}', add column last_claim_at timestamptz;
create index campaign_last_claim on campaign (company_id, last_claim_at) where last_claim_at is not null;

-- The rare ends have an index of their own; who is merely sent to and reached never enters it. (This rewrites the table.)
alter table campaign_recipient add column batch_id bigint,
  add column unusual_state text generated always as (case when state in ('failed', 'undelivered', 'skipped', 'unknown') then state end) stored;

-- ---- what was sent, or claimed, before ----
-- An owner that is no superuser sees nothing through forced row-level security.
alter table campaign no force row level security;
alter table campaign_recipient no force row level security;
alter table campaign_recipient disable trigger count_moved;

insert into campaign_batch (company_id, campaign_id, claimed_by, claimed_at, carrier, text_version, recipient_ids, texts, segments, credits, size, settled_at, filed)
  select company_id, campaign_id, coalesce(claimed_by, ''), coalesce(min(claimed_at), now()), coalesce(carrier, ''), coalesce(text_version, 1), array_agg(id order by id), array_agg(coalesce(text, '') order by id), array_agg(coalesce(segments, 1) order by id),
    array_agg(coalesce(credits, 1) order by id), count(*), case when not under_way then now() end, not bool_or(unfiled)
  from (select r.*, r.state = 'claimed' under_way, r.item_id is null and r.state in ('claimed', 'handed', 'sent', 'delivered', 'undelivered', 'unknown') unfiled,
      row_number() over (partition by r.company_id, r.campaign_id, r.state = 'claimed', r.claimed_by, r.carrier, r.text_version order by r.id) / 500 nth from campaign_recipient r where r.text is not null) r
  group by company_id, campaign_id, under_way, claimed_by, carrier, text_version, nth;
update campaign_recipient r set batch_id = b.id from (select company_id, id, unnest(recipient_ids) recipient_id from campaign_batch where settled_at is not null) b where r.company_id = b.company_id and r.id = b.recipient_id;
update campaign c set reached = array(select coalesce((select max(r.id) from campaign_recipient r where r.company_id = c.company_id and r.campaign_id = c.id and r.zone = z.zone and r.state not in ('pending', 'skipped')), 0) from unnest(c.zones) with ordinality z(zone, n) order by z.n),
  last_claim_at = (select max(claimed_at) from campaign_batch b where b.company_id = c.company_id and b.campaign_id = c.id) where started_at is not null;
insert into campaign_again (company_id, campaign_id, recipient_id, zone)
  select r.company_id, r.campaign_id, r.id, r.zone from campaign_recipient r join campaign c on c.company_id = r.company_id and c.id = r.campaign_id where r.state = 'pending' and r.id <= coalesce(c.reached[array_position(c.zones, r.zone)], 0);
update campaign_recipient set state = 'pending' where state = 'claimed';

alter table campaign_recipient enable trigger count_moved;
alter table campaign force row level security;
alter table campaign_recipient force row level security;

-- ---- what sending changes is in no index ----
drop index campaign_recipient_waiting, campaign_recipient_state, campaign_recipient_tried, campaign_recipient_number, campaign_recipient_unfiled, campaign_recipient_claimed, campaign_recipient_unknown, campaign_recipient_provider;
alter table campaign_recipient drop constraint campaign_recipient_state_check,
  add constraint campaign_recipient_state_check check (state in ('pending', 'handed', 'sent', 'delivered', 'undelivered', 'failed', 'skipped', 'unknown')),
  drop column claimed_by, drop column claimed_at, drop column text_version, drop column text, drop column segments, drop column idempotency_key, drop column tries, drop column carrier;
create index campaign_recipient_zone on campaign_recipient (company_id, campaign_id, zone, id);
create index campaign_recipient_all on campaign_recipient (company_id, campaign_id, id);
create index campaign_recipient_unusual on campaign_recipient (company_id, campaign_id, unusual_state, id) where unusual_state is not null;
-- Lost answers of all companies are asked about together.
create index campaign_recipient_lost on campaign_recipient (asked_times, id) where unusual_state = 'unknown';
-- Room for three more versions of each row; only pages written from now on have it.
alter table campaign_recipient set (fillfactor = 30);

select tenant_table('campaign_batch');
select tenant_table('campaign_again');
