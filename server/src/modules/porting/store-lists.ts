import { sql } from 'kysely';
import type { porting as contract } from '#contract';
import { oneRow, type Tx } from '../../platform/db.ts';
import type { PortRecord } from './store.ts';
import { foldedPattern } from '../../platform/folded.ts';

interface PortFilter {
  search?: string | undefined;
  status?: readonly string[] | undefined;
  type?: number | undefined;
  service?: number | undefined;
  completed_30d?: boolean | undefined;
}
type PortSort = (typeof contract.portSorts)[number];
/** A request with its first three numbers and their count. */
export interface PortListRow extends PortRecord {
  first_numbers: string[];
  numbers_count: number;
}
const sorts: Record<PortSort, ReturnType<typeof sql>> = {
  created_at: sql`p.created_at`,
  updated_at: sql`p.updated_at`,
  requested_date: sql`p.requested_date`,
  foc_date: sql`p.foc_date`,
  losing_carrier: sql`folded(p.losing_carrier)`,
  status: sql`array_position(array['documentsRequested','rejected','pending','submitted','inProgress','firmOrderScheduled','completed','canceled'], p.status)`,
};
/** One page of requests and the total. `search` matches carrier, entity and digits of numbers. */
export async function portPage(
  tx: Tx,
  companyId: number,
  filter: PortFilter,
  page: { sort: PortSort; dir: 'asc' | 'desc'; page: number; perPage: number },
  now: Date,
): Promise<{ rows: PortListRow[]; total: number }> {
  const like = foldedPattern;
  const all = [sql`p.company_id = ${companyId}`];
  if (filter.status?.length) all.push(sql`p.status = any (${[...filter.status]}::text[])`);
  if (filter.type) all.push(sql`p.number_type = ${filter.type}`);
  if (filter.service) all.push(sql`p.service = ${filter.service}`);
  if (filter.completed_30d)
    all.push(sql`p.completed_at >= ${new Date(now.getTime() - 30 * 86_400_000)}`);
  if (filter.search) {
    const digits = filter.search.replace(/\D/g, '');
    all.push(
      sql`(folded(p.losing_carrier) like ${like(filter.search)}
          or folded(p.entity_name) like ${like(filter.search)}
          ${
            digits.length >= 2
              ? sql`or exists (select from port_number n
              where n.company_id = p.company_id
              and n.port_id = p.id and n.number like ${like(digits)})`
              : sql``
          })`,
    );
  }
  const where = sql.join(all, sql` and `);
  const dir = page.dir === 'asc' ? sql`asc nulls last` : sql`desc nulls last`;
  const { rows } = await sql<PortListRow>`select p.*,
      (select coalesce(array_agg(f.number order by f.position), '{}')
        from (select n.number, n.position from port_number n where n.company_id = p.company_id
          and n.port_id = p.id order by n.position limit 3) f) first_numbers,
      (select count(*)::int
          from port_number n where n.company_id = p.company_id and n.port_id = p.id) numbers_count
    from port_request p where ${where}
      order by ${sorts[page.sort]} ${dir}, p.id ${page.dir === 'asc' ? sql`asc` : sql`desc`}
      limit ${page.perPage} offset ${(page.page - 1) * page.perPage}`.execute(tx);
  const total =
    page.page === 1 && rows.length < page.perPage
      ? rows.length
      : (
          await oneRow(
            tx,
            sql<{
              n: number;
            }>`select count(*)::int n from port_request p where ${where}`,
          )
        ).n;
  return { rows, total };
}
/** Counts for the list's summary; `completed30d` covers the last 30 days. */
export async function countPorts(tx: Tx, companyId: number, now: Date) {
  return oneRow(
    tx,
    sql<{
      pending: number;
      documentsRequested: number;
      inProgress: number;
      completed30d: number;
      rejected: number;
    }>`select count(*) filter (where status = 'pending')::int pending,
      count(*) filter (where status = 'documentsRequested')::int "documentsRequested",
    count(*) filter (where status in ('submitted', 'inProgress',
          'firmOrderScheduled'))::int "inProgress", count(*) filter (where status = 'completed'
        and completed_at >= ${new Date(now.getTime() - 30 * 86_400_000)})::int completed30d,
      count(*) filter (where status = 'rejected')::int rejected
    from port_request where company_id = ${companyId}`,
  );
}
