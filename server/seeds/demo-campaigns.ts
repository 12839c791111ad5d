import { sql } from 'kysely';
import type { Tx } from '../src/platform/db.ts';
import { idAt, type SeedCompany } from './demo-rows.ts';
import { lastOpenTime } from './demo-week.ts';

const DAY = 86_400_000;

/** The four campaigns' ids, their group and sender, and the time a number of days ago. */
interface Campaigns {
  tx: Tx;
  company: SeedCompany;
  by: { id: number; name: string };
  group: number;
  numberId: number;
  draft: number;
  scheduled: number;
  sent: number;
  paused: number;
  at: (days: number, minutes?: number) => Date;
  now: Date;
}

/**
 * Four campaigns of the first company: a draft, one scheduled in three days, one that was sent with
 * its results, and one that a colleague paused halfway. The recipient table's own triggers count
 * them.
 */
export async function seedCampaigns(
  tx: Tx,
  company: SeedCompany,
  by: { id: number; name: string },
  now: Date,
): Promise<void> {
  // At a time when the office was open.
  const at = (days: number, minutes = 0) =>
    new Date(lastOpenTime(company.rhythm, now.getTime() - days * DAY) + minutes * 60_000);
  const group = idAt(now.getTime() - 40 * DAY + 11);
  const [draft, scheduled, sent, paused] = [1, 2, 3, 4].map((n) =>
    idAt(now.getTime() - 12 * DAY + n),
  ) as [number, number, number, number];
  const numberId = company.numbers[4]!.id;
  const campaigns = { tx, company, by, group, numberId, draft, scheduled, sent, paused, at, now };
  await insertGroup(campaigns);
  await insertCampaigns(campaigns);
  await insertSentRecipients(campaigns);
  await insertPausedRecipients(campaigns);
  await insertBatches(campaigns);
}

async function insertGroup({ tx, company, by, group, at }: Campaigns): Promise<void> {
  await tx
    .insertInto('contact_group')
    .values({
      company_id: company.id,
      id: group,
      name: 'Recall list',
      user_id: by.id,
      created_at: at(40),
      updated_at: at(40),
    })
    .execute();
  await sql`insert into contact_group_member (company_id, group_id, contact_id, added_at)
    select company_id, ${group}, id, ${at(40)} from contact where company_id = ${company.id}
    and deleted_at is null and name <> '' order by id limit 90`.execute(tx);
}

async function insertCampaigns(campaigns: Campaigns): Promise<void> {
  const { tx, company } = campaigns;
  const base = {
    company_id: company.id,
    user_id: campaigns.by.id,
    user_name: campaigns.by.name,
    number_id: campaigns.numberId,
    group_ids: [campaigns.group],
    unsubscribe_text: 'Reply STOP to stop.',
    preview_count: 90,
    preview_credits: 90,
    zones: [] as string[],
  };
  const rows = [...unsentCampaigns(campaigns), ...startedCampaigns(campaigns)];
  await tx
    .insertInto('campaign')
    .values(rows.map((row) => ({ ...base, ...row })))
    .execute();
  await sql`insert into campaign_text (company_id, campaign_id, version, text, unsubscribe_text,
      user_id, at) select company_id, id, 1, text, unsubscribe_text, user_id, created_at
    from campaign where company_id = ${company.id} and state <> 'draft'`.execute(tx);
}

function unsentCampaigns({ draft, scheduled, at, now }: Campaigns) {
  const friday = new Date(Math.ceil((now.getTime() + 3 * DAY) / DAY) * DAY + 15 * 3_600_000);
  return [
    {
      id: draft,
      title: 'Holiday hours',
      text: 'Hi {{first_name|there}}, we are closed from December 24 to January 1. For emergencies, call us.',
      state: 'draft',
      created_at: at(1),
      updated_at: at(1),
    },
    {
      id: scheduled,
      title: 'Whitening week',
      text: 'Hi {{first_name|there}}, whitening is 20% off all week. Reply YES and we’ll hold a spot for you.',
      state: 'queued',
      should_be_sent_at: friday,
      wake_at: friday,
      created_at: at(2),
      updated_at: at(2),
    },
  ];
}

function startedCampaigns({ sent, paused, by, at }: Campaigns) {
  return [
    {
      id: sent,
      title: 'Time for your check-up',
      text: '{{first_name|Hello}}, it has been six months. Reply with a day that works for you and we’ll find a time.',
      state: 'sent',
      started_at: at(9),
      finished_at: at(9, 4),
      last_claim_at: at(9, 4),
      created_at: at(12),
      updated_at: at(9, 4),
    },
    {
      id: paused,
      title: 'New address in Brooklyn',
      text: 'Hi {{first_name|there}}, our Brooklyn office is moving across the street on the first of the month.',
      state: 'paused',
      started_at: at(2),
      paused_at: at(2, 1),
      paused_reason: 'by_hand',
      paused_by: by.id,
      paused_by_name: by.name,
      last_claim_at: at(2, 1),
      zones: ['America/New_York'],
      created_at: at(3),
      updated_at: at(2, 1),
    },
  ];
}

/** Each recipient's result follows from its position, so the data is the same on every machine. */
async function insertSentRecipients(campaigns: Campaigns): Promise<void> {
  const { tx, company, sent, group, numberId, at } = campaigns;
  await sql`insert into campaign_recipient (company_id, campaign_id, contact_id, to_number, zone,
      state, skip_reason, credits, submitted_at, delivered_at, provider_message_id, error_code,
      error_text, responded_at, reply, unsubscribed_at, conversation_id)
    select ${company.id}, ${sent}, id, number, 'America/New_York', state,
      case when state = 'skipped' then 'unsubscribed' end,
      case when tried then 1 end, case when tried and state <> 'failed' then moment end,
        case when state = 'delivered' then moment + interval '3 seconds' end,
        case when tried and state <> 'failed' then 'demo-campaign-' || n end,
      case when state = 'failed' then 'landline' when state = 'undelivered' then 'unreachable' end,
        case when state = 'failed' then 'This number is a landline and cannot receive texts.'
          when state = 'undelivered' then 'The phone cannot be reached.' end,
      case when state = 'delivered' and n % 7 = 2 then moment + interval '40 minutes' end,
        case when state = 'delivered' and n % 7 = 2 then (array['Tuesday at ten?',
              'Any morning is fine', 'Next week please', 'Thursday, thank you'])[1 + n % 4] end,
      case when state = 'delivered' and n % 41 = 5 then moment + interval '15 minutes' end,
        (select k.id from conversation k where k.company_id = p.company_id
          and k.party = p.number and k.number_id = ${numberId} limit 1)
    from (select p.*, state <> 'skipped' tried,
        ${at(9)}::timestamptz + n * interval '2 seconds' moment
        from (select c.company_id, c.id, c.number, c.name, row_number() over (order by c.id)::int n,
        case when c.unsubscribed_at is not null or row_number() over (order by c.id) % 30 = 7
            then 'skipped' when row_number() over (order by c.id) % 23 = 4 then 'failed'
            when row_number() over (order by c.id) % 29 = 3 then 'undelivered'
            when row_number() over (order by c.id) % 67 = 9 then 'unknown'
            else 'delivered' end state
      from contact_group_member m join contact c on c.company_id = m.company_id
        and c.id = m.contact_id where m.company_id = ${company.id} and m.group_id = ${group}) p) p
        order by n`.execute(tx);
}

async function insertPausedRecipients({
  tx,
  company,
  paused,
  group,
  at,
}: Campaigns): Promise<void> {
  await sql`insert into campaign_recipient (company_id, campaign_id, contact_id, to_number, zone,
      state, credits, submitted_at, delivered_at, provider_message_id)
    select ${company.id}, ${paused}, id, number, 'America/New_York',
      case when n <= 30 then 'delivered' else 'pending' end,
      case when n <= 30 then 1 end, case when n <= 30 then moment end, case when n <= 30
          then moment + interval '3 seconds' end, case when n <= 30 then 'demo-moved-' || n end
    from (select c.id, c.number, c.name, row_number() over (order by c.id)::int n,
        ${at(2)}::timestamptz + row_number() over (order by c.id) * interval '2 seconds' moment
      from contact_group_member m join contact c on c.company_id = m.company_id
        and c.id = m.contact_id where m.company_id = ${company.id} and m.group_id = ${group}) p
        order by n`.execute(tx);
}

/** Each campaign's messages, as one batch. */
async function insertBatches({ tx, company }: Campaigns): Promise<void> {
  await sql`insert into campaign_batch (company_id, campaign_id, claimed_by, claimed_at, carrier,
      text_version, recipient_ids, texts, segments, credits, size, finished_at, filed)
    select r.company_id, r.campaign_id, 'demo', min(g.started_at), 'sandbox', 1,
      array_agg(r.id order by r.id),
      array_agg(replace(replace(g.text, '{{first_name|Hello}}',
              coalesce(nullif(split_part(c.name, ' ', 1), ''), 'Hello')), '{{first_name|there}}',
            split_part(c.name, ' ', 1)) || chr(10) || g.unsubscribe_text order by r.id),
      array_agg(1), array_agg(1), count(*), min(g.started_at), true
    from campaign_recipient r join campaign g on g.company_id = r.company_id
      and g.id = r.campaign_id join contact c on c.company_id = r.company_id and c.id = r.contact_id
    where r.company_id = ${company.id} and r.state not in ('pending', 'skipped')
      group by r.company_id, r.campaign_id`.execute(tx);
  await sql`update campaign_recipient r set batch_id = b.id from (select company_id, id,
      unnest(recipient_ids) recipient_id from campaign_batch where company_id = ${company.id}) b
    where r.company_id = b.company_id and r.id = b.recipient_id`.execute(tx);
  await sql`update campaign c set reached = array[(select max(r.id) from campaign_recipient r
        where r.company_id = c.company_id and r.campaign_id = c.id and r.batch_id is not null)]
    where c.company_id = ${company.id} and c.started_at is not null`.execute(tx);
}
