/** Rules about the script on a company's websites. */
import { sql, type RawBuilder } from 'kysely';
import { aboutCompany, type Finding, type Look, type Rule } from './finding.ts';

/** What is switched off by hand isn't looked at. */
export const switchedOn = ({ company }: Look) => sql`not exists (select from tracking_script off
  where off.company_id = ${company.id} and not off.is_enabled)`;

const fewestPages = 100;
/** Pages that were looked at within this time say how a website is now. */
const lately = ({ now }: Look) => sql`s.checked_at > ${now}::timestamptz - interval '3 hours'`;
/**
 * No page has reported for a day (a setting), although a hundred did in the week before; or a
 * website's page had the script, and two looks in a row didn't find it.
 */
export const scriptMissing: Rule = async (look) => {
  const { tx, company, now } = look;
  const hours = look.limits.alert_script_silent_hours;
  const { rows } = await sql<{ before: number; since: number }>`
    with hits as (
      select hour, n from tracking_hit_count
      where company_id = ${company.id} and kind = 'pageview'
        and hour >= ${now}::timestamptz - make_interval(days => 8, hours => ${hours})
        and ${switchedOn(look)}), edge as (
      select ${now}::timestamptz - make_interval(hours => ${hours + 1}) as at)
    select coalesce(sum(n) filter (where hour < edge.at), 0)::int as before,
      coalesce(sum(n) filter (where hour >= edge.at), 0)::int as since
    from hits, edge`.execute(tx);
  const { before = 0, since = 0 } = rows[0] ?? {};
  if (since === 0 && before >= fewestPages)
    return aboutCompany(
      look,
      `No page reported in the last ${hours === 1 ? 'hour' : `${hours} hours`}, after ${before} in the week before.`,
      {
        ...{ name: 'page views', value: 0, threshold: 1, unit: 'page views' },
        window: hours === 1 ? '1 hour' : `${hours} hours`,
      },
    );
  return aboutSites(
    look,
    sql`s.missing_checks >= 2`,
    (hosts) => `The script is gone from ${hosts}.`,
  );
};

/** A website loads the script of another company. */
export const scriptWrongKey: Rule = (look) =>
  aboutSites(look, sql`s.has_wrong_key`, (hosts) => `Visits to ${hosts} aren’t counted here.`);

/** A website loads the script twice: its visits count double, and numbers can change back. */
export const scriptDuplicate: Rule = (look) =>
  aboutSites(look, sql`s.script_count > 1`, (hosts) => `The script is more than once on ${hosts}.`);

/** What was found on websites at the last look, as one finding. */
async function aboutSites(
  look: Look,
  wrong: RawBuilder<unknown>,
  message: (hosts: string) => string,
): Promise<Finding[]> {
  const { rows } = await sql<{ host: string; n: number }>`
    select s.host, count(*) over ()::int as n from tracking_site s
    where s.company_id = ${look.company.id} and ${lately(look)} and ${wrong} and ${switchedOn(look)}
    order by s.host limit 3`.execute(look.tx);
  const [first] = rows;
  if (!first) return [];
  const names = rows.map(({ host }) => host).join(', ');
  const more = first.n - rows.length;
  return aboutCompany(look, message(more > 0 ? `${names} and ${more} more` : names), {
    ...{ name: 'websites', value: first.n, threshold: 0, window: 'last look' },
    unit: first.n === 1 ? 'website' : 'websites',
  });
}
