import { sql, type RawBuilder } from 'kysely';
import type { IdColumn, UpdatableType } from '#contract/archive/field-updates/rules';
import { normalizePhone } from '#contract/phone';
import type { Tx } from '../../../platform/db.ts';

/** What a cell says, so that two ways of writing the same are one. Null: it names nothing. */
export function nameOf(idColumn: IdColumn, cell: string | undefined): string | null {
  const text = cell?.trim() ?? '';
  if (idColumn === 'number') return normalizePhone(text);
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? text : null;
}

interface Found {
  company_id: number;
  /** As `nameOf` says it. */
  name: string;
  id: number;
}

/** Where each kind is, and what of it is gone. Companies name themselves, people their membership. */
const places: Record<
  UpdatableType,
  { table: string; id: RawBuilder<unknown>; is: RawBuilder<unknown> }
> = {
  number: {
    table: 'number',
    id: sql`x.id`,
    is: sql`x.status in ('active', 'suspended', 'parked', 'porting')`,
  },
  'tracking-pool': { table: 'tracking_pool', id: sql`x.id`, is: sql`x.deleted_at is null` },
  contact: { table: 'contact', id: sql`x.id`, is: sql`x.deleted_at is null` },
  call: { table: 'call', id: sql`x.id`, is: sql`true` },
  user: { table: 'membership', id: sql`x.user_id`, is: sql`x.role <> 'deactivated'` },
  company: { table: 'company', id: sql`x.id`, is: sql`true` },
};

/**
 * The objects that these names mean in these companies. A person can be in several. One statement;
 * of several companies only with the system role.
 */
export async function findObjects(
  tx: Tx,
  companyIds: readonly number[],
  { type, idColumn }: { type: UpdatableType; idColumn: IdColumn },
  names: readonly string[],
): Promise<Found[]> {
  if (!names.length || !companyIds.length) return [];
  const { table, id, is } = places[type];
  const company = type === 'company' ? sql`x.id` : sql`x.company_id`;
  const [name, among] =
    idColumn === 'number'
      ? [sql`x.number`, sql`${[...names]}::text[]`]
      : [sql`${id}::text`, sql`${[...names]}::bigint[]`];
  const key = idColumn === 'number' ? sql`x.number` : id;
  return (
    await sql<Found>`select ${company} company_id, ${name} name, ${id} id from ${sql.table(table)} x
      where ${company} = any (${[...companyIds]}::bigint[]) and ${key} = any (${among})
        and ${is}`.execute(tx)
  ).rows;
}

/**
 * The objects of a company that its template lists, with what names them there: its numbers, its
 * pools, or itself. None of other kinds.
 */
export async function listObjects(
  tx: Tx,
  companyId: number,
  type: UpdatableType,
  limit: number,
): Promise<{ id: number; name: string }[]> {
  if (type !== 'number' && type !== 'tracking-pool' && type !== 'company') return [];
  const { table, id, is } = places[type];
  const company = type === 'company' ? sql`x.id` : sql`x.company_id`;
  const name = type === 'number' ? sql`x.number` : sql`${id}::text`;
  return (
    await sql<{ id: number; name: string }>`select ${id} id, ${name} name
      from ${sql.table(table)} x where ${company} = ${companyId} and ${is}
      order by 2 limit ${limit}`.execute(tx)
  ).rows;
}
