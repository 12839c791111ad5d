-- Texts to many. The counts stand on the row and are kept by a trigger on the ledger, so no way of changing a line can forget them.
create table campaign (
  company_id bigint not null, id bigint not null default next_id(), user_id bigint, user_name text not null default '',
  title text not null check (length(title) between 1 and 120), text text not null default '', unsubscribe_text text not null default '', text_version int not null default 1,
  state text not null default 'draft' check (state in ('pending', 'draft', 'queued', 'sending', 'canceled', 'paused', 'sent', 'failed')),
  should_be_sent_at timestamptz, number_id bigint, group_ids bigint[] not null default '{}', media jsonb not null default '[]', skip_inbox boolean not null default false,
  -- Not set: the company's.
  timezone text, quiet_hours jsonb, resume_next_day boolean,
  preview_count int not null default 0, preview_credits int not null default 0,
  approval text not null default 'none' check (approval in ('none', 'asked', 'approved')), asked_by bigint, asked_by_name text, approved_by bigint, approved_by_name text,
  paused_reason text check (paused_reason in ('by_hand', 'stale_schedule', 'window_closed', 'error_rate', 'carrier')), paused_at timestamptz, paused_by bigint, paused_by_name text, auto_resume_at timestamptz, resumed_at timestamptz,
  started_at timestamptz, finished_at timestamptz, failed_reason text,
  total_count int not null default 0, pending_count int not null default 0, sent_count int not null default 0, delivered_count int not null default 0, undelivered_count int not null default 0, failed_count int not null default 0,
  skipped_count int not null default 0, unknown_count int not null default 0, responded_count int not null default 0, unsubscriber_count int not null default 0, credits_used int not null default 0,
  -- When the dispatcher looks at it next; the time zones of its people; since when its carrier takes nothing, and how often it was asked in vain.
  wake_at timestamptz, zones text[] not null default '{}', away_since timestamptz, away_times int not null default 0,
  told_at timestamptz, created_at timestamptz not null, updated_at timestamptz not null, deleted_at timestamptz,
  primary key (company_id, id), foreign key (company_id, number_id) references number (company_id, id)
);
create index campaign_newest on campaign (company_id, id desc) where deleted_at is null;
-- Those the dispatcher minds, of all companies: few.
create index campaign_due on campaign (wake_at) where wake_at is not null;
select tenant_table('campaign');

-- Every text a campaign ever had. A line of the ledger names the one it got.
create table campaign_text (
  company_id bigint not null, campaign_id bigint not null, version int not null, text text not null, unsubscribe_text text not null, media jsonb not null default '[]', user_id bigint, at timestamptz not null,
  primary key (company_id, campaign_id, version), foreign key (company_id, campaign_id) references campaign (company_id, id) on delete cascade
);
select tenant_table('campaign_text');

-- The ledger (A12.3): one line a campaign and number, and nothing is ever handed to a carrier but through its line.
create table campaign_recipient (
  company_id bigint not null, id bigint not null default next_id(), campaign_id bigint not null, contact_id bigint, to_number text not null,
  -- The recipient's own time zone: area code, then state or zip, then the company's.
  zone text not null,
  state text not null default 'pending' check (state in ('pending', 'claimed', 'handed', 'sent', 'delivered', 'undelivered', 'failed', 'skipped', 'unknown')),
  skip_reason text check (skip_reason in ('unsubscribed', 'invalid', 'blocked', 'duplicate', 'recently_texted', 'deleted', 'canceled', 'own_number')),
  -- Who claimed it, and which version of the text it got, written with the claim.
  claimed_by text, claimed_at timestamptz, text_version int, text text, segments int, credits int, idempotency_key text, tries int not null default 0, round int not null default 0,
  handed_at timestamptz, delivered_at timestamptz, carrier text, provider_message_id text, error_code text, error_text text, passing boolean not null default false, asked_times int not null default 0,
  -- Its place in the inbox, once filed there.
  item_id bigint, conversation_id bigint,
  responded_at timestamptz, reply text, unsubscribed_at timestamptz,
  primary key (company_id, id), unique (company_id, campaign_id, to_number), check ((state = 'skipped') = (skip_reason is not null)),
  foreign key (company_id, campaign_id) references campaign (company_id, id) on delete cascade
);
create index campaign_recipient_waiting on campaign_recipient (company_id, campaign_id, zone, id) where state = 'pending';
create index campaign_recipient_state on campaign_recipient (company_id, campaign_id, state, id);
create index campaign_recipient_tried on campaign_recipient (company_id, campaign_id, handed_at desc) where handed_at is not null;
create index campaign_recipient_number on campaign_recipient (company_id, to_number, handed_at desc) where handed_at is not null;
create index campaign_recipient_unfiled on campaign_recipient (company_id, campaign_id, id) where item_id is null and state in ('handed', 'sent', 'delivered', 'undelivered', 'unknown');
create index campaign_recipient_answered on campaign_recipient (company_id, campaign_id, id) where responded_at is not null;
create index campaign_recipient_left on campaign_recipient (company_id, campaign_id, id) where unsubscribed_at is not null;
-- A crash leaves claims behind; those of all companies are looked for at once. The same for answers that were lost.
create index campaign_recipient_claimed on campaign_recipient (claimed_at) where state = 'claimed';
create index campaign_recipient_unknown on campaign_recipient (handed_at) where state = 'unknown';
-- A receipt that names only the carrier's own id has no company to look in first.
create index campaign_recipient_provider on campaign_recipient (provider_message_id, carrier) where provider_message_id is not null;
select tenant_table('campaign_recipient');

-- Which worker processes hand texts over, by the database's clock: claims of one that has no pulse are looked into.
create table campaign_dispatcher (id text primary key, at timestamptz not null default now());
select global_table('campaign_dispatcher');

-- What a line counts as.
create function recipient_counts(state text, responded_at timestamptz, unsubscribed_at timestamptz, cost int, way int, out pending int, out sent int, out delivered int, out undelivered int, out failed int, out skipped int, out unknown int, out responded int, out unsubscribed int, out credits int)
language sql immutable as $$
  select way * (state in ('pending', 'claimed'))::int, way * (state in ('handed', 'sent', 'delivered', 'undelivered'))::int, way * (state = 'delivered')::int, way * (state = 'undelivered')::int, way * (state = 'failed')::int,
    way * (state = 'skipped')::int, way * (state = 'unknown')::int, way * (responded_at is not null)::int, way * (unsubscribed_at is not null)::int,
    case when state in ('handed', 'sent', 'delivered', 'undelivered') then way * coalesce(cost, 0) else 0 end
$$;
create function count_recipients() returns trigger language plpgsql as $$
declare told record;
begin
  for told in
    with moved as materialized (
      select * from (select s.company_id, s.campaign_id, sum((s.c).pending) pending, sum((s.c).sent) sent, sum((s.c).delivered) delivered, sum((s.c).undelivered) undelivered, sum((s.c).failed) failed,
        sum((s.c).skipped) skipped, sum((s.c).unknown) unknown, sum((s.c).responded) responded, sum((s.c).unsubscribed) unsubscribed, sum((s.c).credits) credits
      from (select n.company_id, n.campaign_id, recipient_counts(n.state, n.responded_at, n.unsubscribed_at, n.credits, 1) c from new_rows n union all select o.company_id, o.campaign_id, recipient_counts(o.state, o.responded_at, o.unsubscribed_at, o.credits, -1) from old_rows o) s group by s.company_id, s.campaign_id) m
      where (m.pending, m.sent, m.delivered, m.undelivered, m.failed, m.skipped, m.unknown, m.responded, m.unsubscribed) is distinct from (0, 0, 0, 0, 0, 0, 0, 0, 0))
    update campaign c set pending_count = pending_count + m.pending, sent_count = sent_count + m.sent, delivered_count = delivered_count + m.delivered, undelivered_count = undelivered_count + m.undelivered, failed_count = failed_count + m.failed,
      skipped_count = skipped_count + m.skipped, unknown_count = unknown_count + m.unknown, responded_count = responded_count + m.responded, unsubscriber_count = unsubscriber_count + m.unsubscribed, credits_used = credits_used + m.credits
    from moved m where c.company_id = m.company_id and c.id = m.campaign_id
    returning c.company_id, c.id, c.told_at
  loop
    -- Screens are told of the counts at most once a second a campaign.
    perform enqueue_job('campaigns.tellCampaign', json_build_object('companyId', told.company_id, 'campaignId', told.id), null, greatest(clock_timestamp(), told.told_at + interval '1 second'), 25, 'tell-campaign:' || told.company_id || ':' || told.id, 'preserve_run_at');
  end loop;
  return null;
end $$;
create trigger count_moved after update on campaign_recipient referencing new table as new_rows old table as old_rows for each statement execute function count_recipients();
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
create trigger count_made after insert on campaign_recipient referencing new table as new_rows for each statement execute function count_new_recipients();
