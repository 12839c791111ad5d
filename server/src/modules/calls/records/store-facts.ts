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
