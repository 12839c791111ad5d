/** Rules about texts, campaigns and their registration. */
import { sql } from 'kysely';
import { pausedReasons, type PausedReason } from '#contract/campaigns/rules';
import { aboutCompany, type Finding, type Rule } from './finding.ts';

const fewestTexts = 50;
/** Under 90 % (a setting) of fifty or more texts of a day were delivered. */
export const smsDeliveryLow: Rule = async (look) => {
  const { tx, company, now } = look;
  const { rows } = await sql<{ total: number; delivered: number }>`
    select count(*)::int as total,
      count(*) filter (where delivery_state = 'delivered')::int as delivered
    from conversation_item
    where company_id = ${company.id} and kind = 'message' and not is_inbound
      and created_at >= ${now}::timestamptz - interval '24 hours'
      and delivery_state in ('delivered', 'undelivered', 'failed')`.execute(tx);
  const { total = 0, delivered = 0 } = rows[0] ?? {};
  const value = total ? Math.round((delivered / total) * 100) : 100;
  if (total < fewestTexts || value >= look.limits.alert_delivered_percent) return [];
  return aboutCompany(look, `${delivered} of ${total} texts were delivered in 24 hours.`, {
    name: 'delivered',
    value,
    threshold: look.limits.alert_delivered_percent,
    unit: '%',
    window: '24 hours',
  });
};

/** More than 3 % (a setting) of those who got a campaign of the last week opted out. */
export const smsOptOutHigh: Rule = async ({ tx, company, now, limits }) => {
  const most = limits.alert_opt_out_percent;
  const { rows } = await sql<{ id: number; title: string; reached: number; gone: number }>`
    select id, title, sent_count + delivered_count as reached, unsubscriber_count as gone
    from campaign
    where company_id = ${company.id} and deleted_at is null
      and started_at >= ${now}::timestamptz - interval '7 days'
      and sent_count + delivered_count >= ${fewestTexts}
      and unsubscriber_count * 100 > ${most} * (sent_count + delivered_count)`.execute(tx);
  return rows.map(({ id, title, reached, gone }): Finding => ({
    subjectId: id,
    label: title,
    message: `${gone} of ${reached} people opted out.`,
    metric: {
      name: 'opted out',
      value: Math.round((gone / reached) * 1000) / 10,
      threshold: most,
      unit: '%',
      window: 'campaign',
    },
  }));
};

const undecidedHours = 1;
/** Texts that may be an opt-out, about which nobody has decided for an hour. */
export const optOutWaiting: Rule = async (look) => {
  const { tx, company, now } = look;
  const { rows } = await sql<{ people: number; hours: number }>`
    select count(distinct party)::int as people,
      floor(extract(epoch from ${now}::timestamptz - min(noticed_at)) / 3600)::int as hours
    from possible_opt_out
    where company_id = ${company.id} and decided_at is null
    having min(noticed_at) <= ${now}::timestamptz - make_interval(hours => ${undecidedHours})`.execute(
    tx,
  );
  const [waiting] = rows;
  if (!waiting) return [];
  const { people, hours } = waiting;
  const message =
    people === 1
      ? 'A text may be an opt-out. Campaigns leave its sender out until you decide.'
      : `Texts of ${people} people may be opt-outs. Campaigns leave them out until you decide.`;
  return aboutCompany(look, message, {
    name: 'waiting',
    value: hours,
    threshold: undecidedHours,
    unit: hours === 1 ? 'hour' : 'hours',
    window: '',
  });
};

/** A campaign that no person paused. */
export const campaignPausedAuto: Rule = async ({ tx, company }) => {
  const { rows } = await sql<{ id: number; title: string; reason: PausedReason; left: number }>`
    select id, title, paused_reason as reason, pending_count as left
    from campaign
    where company_id = ${company.id} and deleted_at is null and state = 'paused'
      and paused_reason is not null
      and paused_reason not in ('by_hand', 'window_closed')`.execute(tx);
  return rows.map(({ id, title, reason, left }): Finding => ({
    subjectId: id,
    label: title,
    message: pausedReasons[reason],
    metric: { name: 'not sent', value: left, threshold: 0, unit: 'texts', window: '' },
  }));
};

/** A verification that was refused, or that its carrier asks something about. */
export const smsVerificationAction: Rule = async ({ tx, company }) => {
  const { rows } = await sql<{ id: number; name: string | null; refused: boolean }>`
    select s.id, s.details ->> 'name' as name, bool_or(r.status = 'rejected') as refused
    from registration_review r
    join sms_campaign s on s.company_id = r.company_id and s.id = r.campaign_id
    where r.company_id = ${company.id} and s.deleted_at is null
      and r.status in ('rejected', 'action_required')
    group by s.id, s.details`.execute(tx);
  return rows.map(({ id, name, refused }): Finding => ({
    subjectId: id,
    label: name || 'SMS verification',
    message: refused
      ? 'It was rejected. Correct it and submit it again, or texts aren’t delivered.'
      : 'The carrier asks for something. Answer it, or texts aren’t delivered.',
    metric: { name: 'waiting', value: 1, threshold: 0, unit: '', window: '' },
  }));
};
