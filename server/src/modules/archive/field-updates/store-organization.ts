import { sql, type Insertable, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import type { RowProblem } from './apply-rows.ts';
import type { UpdateRow } from './store.ts';

// The system role: files of organizations are above companies; dispatch has checked that the actor
// administers it, and callers ask only for companies that they administer, too.

export type OrganizationUpdateRow = Omit<
  Selectable<Tables['organization_field_update']>,
  'errors'
> & { errors: RowProblem[] };

/** Stores a file for the companies of an organization. */
export const insertOrganizationUpdate = (
  tx: Tx,
  {
    errors,
    ...row
  }: Omit<Insertable<Tables['organization_field_update']>, 'errors'> & {
    errors: readonly RowProblem[];
  },
): Promise<OrganizationUpdateRow> =>
  tx
    .insertInto('organization_field_update')
    .values({ ...row, errors: JSON.stringify(errors) })
    .returningAll()
    .$castTo<OrganizationUpdateRow>()
    .executeTakeFirstOrThrow();

/** The organization's newest files, at most `limit`; with `id` only that one. */
export async function organizationUpdates(
  tx: Tx,
  organizationId: number,
  { id, limit }: { id?: string; limit: number },
): Promise<OrganizationUpdateRow[]> {
  const rows = tx
    .selectFrom('organization_field_update')
    .selectAll()
    .$castTo<OrganizationUpdateRow>()
    .where('organization_id', '=', organizationId);
  return (id ? rows.where('id', '=', id) : rows)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
}

/** The runs of these files in these companies. */
export const runsOf = async (
  tx: Tx,
  companyIds: readonly number[],
  ids: readonly string[],
): Promise<UpdateRow[]> =>
  companyIds.length && ids.length
    ? (
        await sql<UpdateRow>`select * from field_update
          where organization_update_id = any (${[...ids]}::uuid[])
            and company_id = any (${[...companyIds]}::bigint[]) order by company_id`.execute(tx)
      ).rows
    : [];

/** The companies of an organization, by name. */
export const companiesOf = (tx: Tx, organizationId: number) =>
  tx
    .selectFrom('company')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .orderBy('name')
    .orderBy('id')
    .execute();
