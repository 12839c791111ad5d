import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { AlertRow } from './store.ts';

// The system role: alerts of several companies are listed together. `places` are those where the
// person may see alerts, each with the numbers they are limited to.

export interface AlertPlace {
  companyId: number;
  /** Null: not limited. */
  numberIds: readonly number[] | null;
}
interface AlertFilter {
  places: readonly AlertPlace[];
  kind?: string | undefined;
  severity?: string | undefined;
  state?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}
export type ListedAlert = AlertRow & { company_name: string; organization_id: number | null };

/** Limited people see what is about their numbers, and nothing else. */
const inPlaces = (places: readonly AlertPlace[]): RawBuilder<unknown> => {
  const whole = places.filter((p) => p.numberIds === null).map((p) => p.companyId);
  const limited = places.flatMap((p) =>
    p.numberIds
      ? [
          sql`(a.company_id = ${p.companyId} and a.subject_type = 'number'
            and a.subject_id = any(${[...p.numberIds]}::bigint[]))`,
        ]
      : [],
  );
  return sql`(${sql.join([sql`a.company_id = any(${whole}::bigint[])`, ...limited], sql` or `)})`;
};
const condition = (f: AlertFilter): RawBuilder<unknown> =>
  sql.join(
    [
      inPlaces(f.places),
      ...(f.kind ? [sql`a.kind = ${f.kind}`] : []),
      ...(f.severity ? [sql`a.severity = ${f.severity}`] : []),
      ...(f.state ? [sql`a.state = ${f.state}`] : []),
      ...(f.from ? [sql`a.last_seen_at >= ${f.from}::timestamptz`] : []),
      ...(f.to ? [sql`a.first_seen_at <= ${f.to}::timestamptz`] : []),
    ],
    sql` and `,
  );

/** One page of alerts: open ones first, the gravest first, then the latest; and how many there are. */
export async function alertPage(
  tx: Tx,
  filter: AlertFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ListedAlert[]; total: number }> {
  const { rows } = await sql<ListedAlert>`
    select a.*, c.name as company_name, c.organization_id
    from alert a join company c on c.id = a.company_id
    where ${condition(filter)}
    order by (a.state = 'open') desc, (a.state = 'acknowledged') desc,
      case when a.state in ('open', 'acknowledged')
        then array_position(array['critical', 'warning', 'info'], a.severity) end,
      a.last_seen_at desc, a.id desc
    limit ${limit} offset ${offset}`.execute(tx);
  const counted = await sql<{ n: number }>`
    select count(*)::int as n from alert a where ${condition(filter)}`.execute(tx);
  return { rows, total: counted.rows[0]?.n ?? 0 };
}

/** How many alerts are open or acknowledged, by kind, severity and state. */
export const alertCounts = async (tx: Tx, places: readonly AlertPlace[]) =>
  (
    await sql<{ kind: string; severity: string; state: string; n: number }>`
      select a.kind, a.severity, a.state, count(*)::int as n
      from alert a where ${inPlaces(places)} and a.state in ('open', 'acknowledged')
      group by a.kind, a.severity, a.state`.execute(tx)
  ).rows;

/** A company's name and organization, for an alert that was read in the company. */
export const companyOfAlert = (tx: Tx, companyId: number) =>
  tx
    .selectFrom('company')
    .select(['name as company_name', 'organization_id'])
    .where('id', '=', companyId)
    .executeTakeFirstOrThrow();
