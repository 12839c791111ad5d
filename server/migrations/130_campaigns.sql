-- Texts to many recipients. Triggers on campaign_recipient keep the counts, so that no way of
-- changing a recipient can forget them.
create table campaign (
  company_id bigint not null,
  id bigint not null default next_id(),
  user_id bigint,
  user_name text not null default '',
  title text not null check (length(title) between 1 and 120),
  text text not null default '',
  unsubscribe_text text not null default '',
  text_version int not null default 1,
  state text not null default 'draft'
    check (state in (
      'pending', 'draft', 'queued', 'sending', 'canceled', 'paused', 'sent', 'failed'
    )),
  should_be_sent_at timestamptz,
  number_id bigint,
  group_ids bigint[] not null default '{}',
  media jsonb not null default '[]',
  skip_inbox boolean not null default false,
  -- Null: the company's.
  timezone text,
  quiet_hours jsonb,
  resume_next_day boolean,
  preview_count int not null default 0,
  preview_credits int not null default 0,
  approval text not null default 'none' check (approval in ('none', 'asked', 'approved')),
  asked_by bigint,
  asked_by_name text,
  approved_by bigint,
  approved_by_name text,
  paused_reason text
    check (paused_reason in (
      'by_hand', 'stale_schedule', 'window_closed', 'error_rate', 'carrier'
    )),
  paused_at timestamptz,
  paused_by bigint,
  paused_by_name text,
  auto_resume_at timestamptz,
  resumed_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  failed_reason text,
  total_count int not null default 0,
  pending_count int not null default 0,
  sent_count int not null default 0,
  delivered_count int not null default 0,
  undelivered_count int not null default 0,
  failed_count int not null default 0,
  skipped_count int not null default 0,
  unknown_count int not null default 0,
  responded_count int not null default 0,
  unsubscriber_count int not null default 0,
  credits_used int not null default 0,
  -- When the dispatcher looks at it next; the time zones of its recipients; since when its carrier
  -- accepts nothing, and how often it was tried in vain.
  wake_at timestamptz,
  zones text[] not null default '{}',
  carrier_down_since timestamptz,
  carrier_down_retries int not null default 0,
  published_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- When the job that publishes the counts is due.
  publish_due timestamptz,
  -- How far claiming has come: the last recipient claimed in each of `zones`, in their order.
  reached bigint[] not null default '{}',
  last_claim_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, number_id) references number (company_id, id)
);
create index campaign_newest on campaign (company_id, id desc) where deleted_at is null;
-- Those the dispatcher minds, of all companies: few.
create index campaign_due on campaign (wake_at) where wake_at is not null;
create index campaign_last_claim on campaign (company_id, last_claim_at)
  where last_claim_at is not null;
select tenant_table('campaign');

-- Every version of the text of a campaign. A batch names the one it was sent with.
create table campaign_text (
  company_id bigint not null,
  campaign_id bigint not null,
  version int not null,
  text text not null,
  unsubscribe_text text not null,
  media jsonb not null default '[]',
  user_id bigint,
  at timestamptz not null,
  primary key (company_id, campaign_id, version),
  foreign key (company_id, campaign_id) references campaign (company_id, id) on delete cascade
);
select tenant_table('campaign_text');

-- One row a campaign and number; nothing is submitted to a carrier but through its row. Sending
-- changes the row in place: no index holds what changes meanwhile, and its page has room for the
-- row's next three versions (HOT updates). What is written once for many recipients is in the batch
-- they were claimed in.
create table campaign_recipient (
  company_id bigint not null,
  id bigint not null default next_id(),
  campaign_id bigint not null,
  contact_id bigint,
  to_number text not null,
  -- The recipient's time zone: of the area code, else of state or zip, else the company's.
  zone text not null,
  state text not null default 'pending'
    check (state in (
      'pending', 'handed', 'sent', 'delivered', 'undelivered', 'failed', 'skipped', 'unknown'
    )),
  skip_reason text
    check (skip_reason in (
      'unsubscribed', 'invalid', 'blocked', 'duplicate', 'recently_texted', 'deleted', 'canceled',
      'own_number'
    )),
  credits int,
  round int not null default 0,
  submitted_at timestamptz,
  delivered_at timestamptz,
  provider_message_id text,
  error_code text,
  error_text text,
  passing boolean not null default false,
  status_checks int not null default 0,
  -- Its message in the inbox, once there.
  item_id bigint,
  conversation_id bigint,
  responded_at timestamptz,
  reply text,
  unsubscribed_at timestamptz,
  batch_id bigint,
  -- Rare outcomes have an index of their own, which a recipient who is merely sent to never enters.
  exception_state text
    generated always as (
      case when state in ('failed', 'undelivered', 'skipped', 'unknown') then state end
    ) stored,
  primary key (company_id, id),
  unique (company_id, campaign_id, to_number),
  check ((state = 'skipped') = (skip_reason is not null)),
  foreign key (company_id, campaign_id) references campaign (company_id, id) on delete cascade
) with (
  autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02, fillfactor = 30
);
create index campaign_recipient_answered on campaign_recipient (company_id, campaign_id, id)
  where responded_at is not null;
create index campaign_recipient_left on campaign_recipient (company_id, campaign_id, id)
  where unsubscribed_at is not null;
create index campaign_recipient_zone on campaign_recipient (company_id, campaign_id, zone, id);
create index campaign_recipient_all on campaign_recipient (company_id, campaign_id, id);
create index campaign_recipient_unusual
  on campaign_recipient (company_id, campaign_id, exception_state, id)
  where exception_state is not null;
-- Unknown results of all companies are asked about together.
create index campaign_recipient_lost on campaign_recipient (status_checks, id)
  where exception_state = 'unknown';
select tenant_table('campaign_recipient');

-- Recipients claimed together.
create table campaign_batch (
  company_id bigint not null,
  id bigint not null default next_id(),
  campaign_id bigint not null,
  claimed_by text not null,
  claimed_at timestamptz not null default clock_timestamp(),
  carrier text not null,
  text_version int not null,
  -- Parallel arrays: whom, with which text, how many segments and credits.
  recipient_ids bigint[] not null,
  texts text[] not null,
  segments int[] not null,
  credits int[] not null,
  size int not null,
  -- When nothing of it was in flight any more; whether all that was sent has its message in the
  -- inbox.
  finished_at timestamptz,
  filed boolean not null default false,
  primary key (company_id, id),
  foreign key (company_id, campaign_id) references campaign (company_id, id) on delete cascade
);
create index campaign_batch_newest on campaign_batch (company_id, campaign_id, id);
create index campaign_batch_unfiled on campaign_batch (company_id, campaign_id, id) where not filed;
-- A crash leaves batches open; those of all companies are looked for at once.
create index campaign_batch_open on campaign_batch (claimed_at) where finished_at is null;
select tenant_table('campaign_batch');

-- Recipients that wait once more: the carrier accepted nothing, or a person asked to retry. All
-- others wait behind `campaign.reached`. No foreign key: it would lock the campaign's row before
-- those who lock it at the end of their work: a deadlock.
create table campaign_requeue (
  company_id bigint not null,
  campaign_id bigint not null,
  recipient_id bigint not null,
  zone text not null,
  primary key (company_id, campaign_id, recipient_id)
);
select tenant_table('campaign_requeue');

-- What a recipient counts as.
create function recipient_counts(
  state text, responded_at timestamptz, unsubscribed_at timestamptz, cost int, way int,
  out pending int, out sent int, out delivered int, out undelivered int, out failed int,
  out skipped int, out unknown int, out responded int, out unsubscribed int, out credits int
)
language sql immutable as $$
  select way * (state in ('pending', 'claimed'))::int, way * (state in ('handed', 'sent', 'delivered', 'undelivered'))::int, way * (state = 'delivered')::int, way * (state = 'undelivered')::int, way * (state = 'failed')::int,
    way * (state = 'skipped')::int, way * (state = 'unknown')::int, way * (responded_at is not null)::int, way * (unsubscribed_at is not null)::int,
    case when state in ('handed', 'sent', 'delivered', 'undelivered') then way * coalesce(cost, 0) else 0 end
$$;

-- One pass over the rows that a statement changed, and a job for the screens only when none is due.
create function count_recipients() returns trigger language plpgsql as $$
declare told record;
begin
  for told in
    with moved as materialized (
      select * from (select company_id, campaign_id, sum(way) filter (where state in ('pending', 'claimed')) pending, sum(way) filter (where state in ('handed', 'sent', 'delivered', 'undelivered')) sent, sum(way) filter (where state = 'delivered') delivered,
        sum(way) filter (where state = 'undelivered') undelivered, sum(way) filter (where state = 'failed') failed, sum(way) filter (where state = 'skipped') skipped, sum(way) filter (where state = 'unknown') unknown,
        sum(way) filter (where responded_at is not null) responded, sum(way) filter (where unsubscribed_at is not null) unsubscribed, sum(way * credits) filter (where state in ('handed', 'sent', 'delivered', 'undelivered')) credits
      from (select company_id, campaign_id, state, responded_at, unsubscribed_at, credits, 1 way from new_rows union all select company_id, campaign_id, state, responded_at, unsubscribed_at, credits, -1 from old_rows) s group by company_id, campaign_id) m
      where coalesce(m.pending, 0) <> 0 or coalesce(m.sent, 0) <> 0 or coalesce(m.delivered, 0) <> 0 or coalesce(m.undelivered, 0) <> 0 or coalesce(m.failed, 0) <> 0 or coalesce(m.skipped, 0) <> 0 or coalesce(m.unknown, 0) <> 0
        or coalesce(m.responded, 0) <> 0 or coalesce(m.unsubscribed, 0) <> 0)
    update campaign c set pending_count = pending_count + coalesce(m.pending, 0), sent_count = sent_count + coalesce(m.sent, 0), delivered_count = delivered_count + coalesce(m.delivered, 0), undelivered_count = undelivered_count + coalesce(m.undelivered, 0),
      failed_count = failed_count + coalesce(m.failed, 0), skipped_count = skipped_count + coalesce(m.skipped, 0), unknown_count = unknown_count + coalesce(m.unknown, 0), responded_count = responded_count + coalesce(m.responded, 0),
      unsubscriber_count = unsubscriber_count + coalesce(m.unsubscribed, 0), credits_used = credits_used + coalesce(m.credits, 0)
    from moved m where c.company_id = m.company_id and c.id = m.campaign_id
    returning c.company_id, c.id, c.published_at, c.publish_due
  loop
    -- Screens are told of the counts at most once a second a campaign. One whose job never came is asked for again.
    if told.publish_due is null or told.publish_due < clock_timestamp() - interval '10 seconds' then
      update campaign c set publish_due = greatest(clock_timestamp(), told.published_at + interval '1 second') where c.company_id = told.company_id and c.id = told.id returning c.publish_due into told.publish_due;
      perform enqueue_job('campaigns.publish', json_build_object('companyId', told.company_id, 'campaignId', told.id), null, told.publish_due, 25, 'tell-campaign:' || told.company_id || ':' || told.id, 'preserve_run_at');
    end if;
  end loop;
  return null;
end $$;
create trigger count_moved after update on campaign_recipient
  referencing new table as new_rows old table as old_rows
  for each statement execute function count_recipients();

create function count_new_recipients() returns trigger language plpgsql as $$
begin
  update campaign c set total_count = total_count + m.total, pending_count = pending_count + m.pending, skipped_count = skipped_count + m.skipped, sent_count = sent_count + m.sent, delivered_count = delivered_count + m.delivered,
    undelivered_count = undelivered_count + m.undelivered, failed_count = failed_count + m.failed, unknown_count = unknown_count + m.unknown, responded_count = responded_count + m.responded, unsubscriber_count = unsubscriber_count + m.unsubscribed, credits_used = credits_used + m.credits
  from (select s.company_id, s.campaign_id, count(*) total, sum((s.c).pending) pending, sum((s.c).skipped) skipped, sum((s.c).sent) sent, sum((s.c).delivered) delivered, sum((s.c).undelivered) undelivered, sum((s.c).failed) failed,
      sum((s.c).unknown) unknown, sum((s.c).responded) responded, sum((s.c).unsubscribed) unsubscribed, sum((s.c).credits) credits
    from (select n.company_id, n.campaign_id, recipient_counts(n.state, n.responded_at, n.unsubscribed_at, n.credits, 1) c from new_rows n) s group by s.company_id, s.campaign_id) m
  where c.company_id = m.company_id and c.id = m.campaign_id;
  return null;
end $$;
create trigger count_made after insert on campaign_recipient
  referencing new table as new_rows
  for each statement execute function count_new_recipients();
