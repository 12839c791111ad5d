import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/** What reports count of a call. */
interface CallFacts {
  id: number;
  party: string;
  started_at: Date;
  outbound: boolean;
  /** 1 answered, 2 missed, 3 voicemail, 4 blocked; 0: it runs. */
  outcome: number;
  first_contact: boolean;
  qualified: boolean;
  lead: boolean;
  talk_seconds: number;
  value_cents: number | null;
}

/** Facts of calls by their ID; those that don't exist are left out. */
export async function callFacts(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, CallFacts>> {
  if (ids.length === 0) return new Map();
  // Each looked up by its key: a join could read all of the company's.
  const { rows } = await sql<CallFacts>`select c.* from unnest(${[...ids]}::bigint[]) a (id)
    cross join lateral (select id, party, started_at, outbound, outcome, first_contact, qualified,
        lead, talk_seconds, value_cents
      from call where company_id = ${companyId} and id = a.id offset 0) c`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Back from a call, in which a qualified one of the same caller is looked for. */
const QUALIFIED_MS = 365 * 86_400_000;

/**
 * When the first qualified call of each call's person came, up to it and a year back at most, by the
 * call's ID. Withheld numbers are no one's in particular: there only the call itself counts.
 */
export async function firstQualifiedOf(
  tx: Tx,
  companyId: number,
  calls: readonly Pick<CallFacts, 'id' | 'party' | 'started_at' | 'qualified'>[],
): Promise<Map<number, Date>> {
  const parties = [...new Set(calls.map(({ party }) => party))].filter((p) => p.startsWith('+'));
  const times = new Map<string, Date[]>(parties.map((party) => [party, []]));
  if (parties.length > 0) {
    const { rows } = await sql<{ party: string; at: Date }>`select a.party, c.started_at as at
      from unnest(${parties}::text[]) a (party)
      cross join lateral (select started_at from call
        where company_id = ${companyId} and party = a.party and qualified offset 0) c
      order by c.started_at`.execute(tx);
    for (const { party, at } of rows) times.get(party)?.push(at);
  }
  const firstOf = ({ party, started_at: at, qualified }: (typeof calls)[number]) =>
    times.has(party)
      ? times.get(party)?.find((one) => one <= at && at.getTime() - one.getTime() < QUALIFIED_MS)
      : qualified
        ? at
        : undefined;
  return new Map(
    calls.flatMap((call) => {
      const at = firstOf(call);
      return at ? [[call.id, at] as const] : [];
    }),
  );
}

/** What delivery rules look at in a call. */
export interface CallRuleFacts {
  id: number;
  number_id: number;
  dni_pool_id: number | null;
  party: string;
  outbound: boolean;
  outcome: number;
  started_at: Date;
  ended_at: Date | null;
  duration_seconds: number;
  qualified: boolean;
  lead: boolean;
  outcome_tags: string[];
  department: string;
  source_key: string | null;
  /** The start of the same person's inbound call before; null: none, or their number is withheld. */
  previous_at: Date | null;
}

/** Calls as delivery rules look at them: these, or those since a moment, the newest first. */
export async function callsForRules(
  tx: Tx,
  companyId: number,
  which: { ids: readonly number[] } | { since: Date; most: number },
): Promise<CallRuleFacts[]> {
  const condition =
    'ids' in which
      ? sql`c.id = any(${[...which.ids]}::bigint[])`
      : sql`c.started_at >= ${which.since} and c.ended_at is not null`;
  const { rows } = await sql<CallRuleFacts>`
    select c.id, c.number_id, c.dni_pool_id, c.party, c.outbound, c.outcome, c.started_at,
      c.ended_at, c.duration_seconds, c.qualified, c.lead, c.outcome_tags, c.department,
      c.source ->> 'key' as source_key, before.started_at as previous_at
    from call c
    left join lateral (select p.started_at from call p
      where c.party like '+%' and p.company_id = c.company_id and p.party = c.party
        and p.started_at < c.started_at and not p.outbound
      order by p.started_at desc limit 1) before on true
    where c.company_id = ${companyId} and ${condition}
    order by c.started_at desc, c.id desc
    ${'most' in which ? sql`limit ${which.most}` : sql``}`.execute(tx);
  return rows;
}
