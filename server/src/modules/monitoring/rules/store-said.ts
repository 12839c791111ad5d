/** Rules about what is said in calls. */
import { sql } from 'kysely';
import { aboutCompany, type Finding, type Rule } from './finding.ts';

/**
 * A phrase of a list that someone watches was said in a call of the last 24 hours. Words that an
 * engine only roughly understood don't count.
 */
export const phraseSaid: Rule = async ({ tx, company, now }) => {
  const { rows } = await sql<{ id: number; name: string; n: number }>`
    select l.id, l.name, count(distinct h.call_id)::int n
    from phrase_list l join phrase_hit h on h.company_id = l.company_id and h.list_id = l.id
    where l.company_id = ${company.id} and l.alert and l.removed_at is null
      and not h.is_rough
      and h.called_at >= ${now}::timestamptz - interval '24 hours'
    group by l.id, l.name`.execute(tx);
  return rows.map(({ id, name, n }): Finding => ({
    subjectId: id,
    label: name,
    message: `It was said in ${n === 1 ? '1 call' : `${n} calls`} in 24 hours.`,
    metric: { name: 'calls', value: n, threshold: 1, unit: 'calls', window: '24 hours' },
  }));
};

const fewestMoods = 5;
/** Over 30 % (a setting) of a day's calls whose sentiment is known are negative. */
export const callsNegative: Rule = async (look) => {
  const { tx, company, now } = look;
  const { rows } = await sql<{ total: number; negative: number }>`
    select count(*) filter (where mood <> 'unknown')::int total,
      count(*) filter (where mood = 'negative')::int negative
    from (select coalesce((select t.metadata #>> '{sentiment,overall}' from transcription t
          where t.company_id = c.company_id and t.call_id = c.id and t.state = 'ready'
          order by t.id desc limit 1), 'unknown') mood
      from call c where c.company_id = ${company.id}
        and c.started_at >= ${now}::timestamptz - interval '24 hours') m`.execute(tx);
  const { total = 0, negative = 0 } = rows[0] ?? {};
  const value = total ? Math.round((negative / total) * 100) : 0;
  const threshold = look.limits.alert_negative_percent;
  if (total < fewestMoods || value <= threshold) return [];
  return aboutCompany(
    look,
    `${negative} of ${total} calls in 24 hours have a negative sentiment.`,
    {
      name: 'negative calls',
      value,
      threshold,
      unit: '%',
      window: '24 hours',
    },
  );
};
