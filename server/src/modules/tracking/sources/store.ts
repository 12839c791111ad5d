import type { SourceGroup, SourceKind } from '#contract/tracking/rules';
import type { SourceRule } from '#contract/tracking/schemas';
import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export interface SourceRow extends Omit<
  Selectable<Tables['tracking_source']>,
  'kind' | 'source_group' | 'rules'
> {
  kind: SourceKind;
  source_group: SourceGroup;
  rules: SourceRule[];
}

/** The company's own sources in the order in which they are asked. */
export const sourceRows = async (tx: Tx, companyId: number): Promise<SourceRow[]> =>
  (await tx
    .selectFrom('tracking_source')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('position')
    .orderBy('id')
    .execute()) as SourceRow[];

/** Lets one change of a company's sources after the other. */
export const lockSources = (tx: Tx, companyId: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`tracking_sources:${companyId}`}, 0))`.execute(
    tx,
  );

/** Columns to write; JSON is given as text. */
type SourceColumns = Partial<Omit<SourceRow, 'company_id' | 'id' | 'rules' | 'created_at'>> & {
  rules?: string;
};

/** Stores a new source, without rules, and returns its ID. */
export async function insertSource(
  tx: Tx,
  companyId: number,
  row: Pick<SourceRow, 'key' | 'label' | 'kind' | 'source_group' | 'position' | 'created_by'>,
  now: Date,
): Promise<number> {
  return (
    await tx
      .insertInto('tracking_source')
      .values({ ...row, company_id: companyId, created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
}

/** Changes columns of a source. */
export const updateSourceRow = (tx: Tx, companyId: number, id: number, set: SourceColumns) =>
  tx
    .updateTable('tracking_source')
    .set(set)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();

/** Deletes a source's row. */
export const deleteSourceRow = (tx: Tx, companyId: number, id: number) =>
  tx
    .deleteFrom('tracking_source')
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
