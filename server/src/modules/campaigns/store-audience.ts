import { sql } from 'kysely';
import type { TxCtx } from '../../platform/context.ts';
import { oneRow, type Tx } from '../../platform/db.ts';
import { contactCondition, groupsOfIds, resolveFilter } from '../contacts/index.ts';
import { wasTextedSince } from './store-recipients.ts';
import { zonesByAreaCode, zonesByState, zonesByZip } from './rules.ts';

/**
 * A condition on `contact c` for membership in a group, static or by filter; contacts defines it.
 */
type AudienceCondition = ReturnType<typeof contactCondition>;
/**
 * The SQL condition for the contacts of a group. Fails with a field error when it doesn't exist.
 */
export const audienceCondition = async (ctx: TxCtx, groupId: number): Promise<AudienceCondition> =>
  contactCondition({ groupId }, await resolveFilter(ctx, { groupId }));
const audienceMembers = (companyId: number, who: AudienceCondition) =>
  sql`select c.id, c.number, c.name, c.email, c.state, c.zip, c.invalid
    from contact c where c.company_id = ${companyId} and c.deleted_at is null and ${who}`;

/** Existing groups, by ID. */
export const groupsByIds = async (
  ctx: TxCtx,
  ids: readonly number[],
): Promise<Map<number, { id: number; name: string }>> =>
  new Map(
    (await groupsOfIds(ctx.tx, ctx.companyId, [...new Set(ids)])).map((g) => [
      g.id,
      { id: g.id, name: g.name },
    ]),
  );

export interface Audience {
  campaignId: number;
  condition: AudienceCondition;
  ourNumber: string;
  companyZone: string;
  textedSince: Date;
}
/** The group's members with the reason why they aren't texted; null: they are. */
const membersWithSkipReason = (companyId: number, a: Audience) => sql`
  select p.*, case when p.invalid or p.number !~ '^\\+[1-9][0-9]{6,14}$'
      or (p.number like '+1%' and p.number !~ '^\\+1[2-9][0-9]{2}[2-9][0-9]{6}$') then 'invalid'
      when p.number = ${a.ourNumber} then 'own_number'
      when exists (select from opt_out o
          where o.company_id = ${companyId} and o.number = p.number) then 'unsubscribed'
      when exists (select from possible_opt_out o where o.company_id = ${companyId}
          and o.party = p.number and o.decided_at is null) then 'possible_opt_out'
      when ${wasTextedSince(companyId, a.campaignId, sql`p.number`, a.textedSince)}
        then 'recently_texted' end skip
  from (${audienceMembers(companyId, a.condition)}) p`;

/**
 * A number's time zone: by its area code, else the contact's state, else the ZIP code, else the
 * company's.
 */
const zoneTables = () => {
  const [codes, states, zips] = [zonesByAreaCode(), zonesByState(), zonesByZip()];
  return sql`code_zone as materialized (select * from unnest(${codes.codes}::text[],
        ${codes.zones}::text[]) z(code, zone)), state_zone as materialized (select *
      from unnest(${states.states}::text[], ${states.zones}::text[]) z(state, zone)),
    zip_zone as materialized (select lag(z.upto, 1, -1) over (order by z.upto) below, z.upto, z.zone
        from unnest(${zips.ends}::int[], ${zips.zones}::text[]) z(upto, zone))`;
};
const membersWithZone = (
  companyId: number,
  a: Audience,
) => sql`select j.id, j.number, j.skip, coalesce(cz.zone, sz.zone, zz.zone, ${a.companyZone}) zone
  from (${membersWithSkipReason(companyId, a)}) j left join code_zone cz on j.number like '+1%'
    and cz.code = substr(j.number, 3, 3) left join state_zone sz on sz.state = upper(trim(j.state))
  left join zip_zone zz on j.zip ~ '^[0-9]{5}'
    and substr(j.zip, 1, 3)::int > zz.below and substr(j.zip, 1, 3)::int <= zz.upto`;

/**
 * Writes a recipient for each current member, with their time zone; returns the zones of those to
 * be texted.
 */
export async function insertRecipients(tx: Tx, companyId: number, a: Audience): Promise<string[]> {
  const { rows } = await sql<{ zone: string }>`with ${zoneTables()},
    put as (insert into campaign_recipient (company_id, campaign_id, contact_id, to_number, zone,
          state, skip_reason)
      select ${companyId}, ${a.campaignId}, p.id, p.number, p.zone,
        case when p.skip is null then 'pending' else 'skipped' end, p.skip
      from (${membersWithZone(companyId, a)}) p order by p.id
        on conflict (company_id, campaign_id, to_number) do nothing returning zone, state)
    select distinct zone from put where state = 'pending'`.execute(tx);
  return rows.map((r) => r.zone).sort();
}

/** Before a start: how many would be texted and in which zones, and how many not, by reason. */
export async function countAudience(
  tx: Tx,
  companyId: number,
  a: Audience,
): Promise<{ people: number; zones: string[]; reasons: Record<string, number> }> {
  const { rows } = await sql<{
    skip: string | null;
    zone: string;
    n: number;
  }>`with ${zoneTables()} select skip, zone, count(*)::int n
    from (${membersWithZone(companyId, a)}) p group by skip, zone`.execute(tx);
  const reasons: Record<string, number> = {};
  for (const { skip, n } of rows) if (skip !== null) reasons[skip] = (reasons[skip] ?? 0) + n;
  const reached = rows.filter((r) => r.skip === null);
  return {
    people: reached.reduce((sum, r) => sum + r.n, 0),
    zones: reached.map((r) => r.zone),
    reasons,
  };
}
export interface AudienceMember {
  id: number;
  number: string;
  name: string;
  email: string;
}
/** A page of those who would be texted, in the order of IDs after `after`. */
export const audiencePage = async (
  tx: Tx,
  companyId: number,
  a: Audience,
  limit: number,
  after = 0,
): Promise<AudienceMember[]> =>
  (
    await sql<AudienceMember>`select j.id, j.number, j.name, j.email
      from (${membersWithSkipReason(companyId, a)}) j
      where j.skip is null and j.id > ${after} order by j.id limit ${limit}`.execute(tx)
  ).rows;
/** How many joined the group after its recipients were written. */
export const joinedSince = async (
  tx: Tx,
  companyId: number,
  campaignId: number,
  who: AudienceCondition,
): Promise<number> =>
  (
    await oneRow(
      tx,
      sql<{
        n: number;
      }>`select count(*)::int n from (${audienceMembers(companyId, who)}) p
      where not exists (select from campaign_recipient r where r.company_id = ${companyId}
        and r.campaign_id = ${campaignId} and r.to_number = p.number)`,
    )
  ).n;
