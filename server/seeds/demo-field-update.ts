import type { Tx } from '../src/platform/db.ts';

const DAY = 86_400_000;
const rows = 14;
const batchId = '0199a8f0-0000-7000-8000-000000412011';

/** A file of custom fields from the week before last, with a row that was wrong. */
export async function seedFieldUpdate(
  tx: Tx,
  companyId: number,
  by: { id: number; name: string },
  now: Date,
): Promise<void> {
  const at = new Date(now.getTime() - 12 * DAY);
  const done = new Date(at.getTime() + 2_000);
  await tx
    .insertInto('batch')
    .values({
      id: batchId,
      company_id: companyId,
      kind: 'field-update',
      input: '{}',
      total: rows,
      processed: rows,
      failed: 1,
      errors: JSON.stringify([
        { row: 9, field: 'advertising_cost', message: 'Enter a number with at most 15 digits.' },
      ]),
      created_by: by.id,
      created_at: at,
      finished_at: done,
    })
    .execute();
  await tx
    .insertInto('field_update')
    .values({
      company_id: companyId,
      file_name: 'advertising-costs.csv',
      entity_type_id: 1,
      id_column: 'number',
      headers: ['number', 'advertised_in', 'advertising_cost'],
      state: 'finished',
      batch_id: batchId,
      changed: rows - 2,
      created_by: by.id,
      created_by_name: by.name,
      created_at: at,
      finished_at: done,
    })
    .execute();
}
