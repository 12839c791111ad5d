import type { Tx } from '../src/platform/db.ts';
import { insertInBatches } from './demo-rows.ts';

const DAY = 86_400_000;
/**
 * A contact import from when the company signed up, so that the list of imports is not empty. Its
 * files were deleted after thirty days.
 */
export async function seedImport(
  tx: Tx,
  companyId: number,
  by: { id: number; name: string },
  now: Date,
): Promise<void> {
  const at = new Date(now.getTime() - 80 * DAY);
  await insertInBatches(tx, 'contact_import', [
    {
      company_id: companyId,
      id: 4_120_001,
      file_name: 'patients.xlsx',
      format: 'xlsx',
      bytes: 48_213,
      headers: ['Patient', 'Mobile', 'Email', 'Since'],
      headers_key: 'demo',
      sample: [{ row: 2, cells: ['Dana Reed', '(212) 555-0147', 'dana@example.com', '2024'] }],
      row_count: 412,
      state: 'finished',
      mapping: ['name', 'number', 'email', null],
      remembered: false,
      options: {},
      next_byte: 0,
      processed: 412,
      created: 371,
      updated: 24,
      unchanged: 9,
      skipped: 8,
      noted: 3,
      skipped_by: { invalid_number: 5, duplicate_in_file: 3 },
      created_by: by.id,
      created_by_name: by.name,
      created_at: at,
      started_at: at,
      finished_at: new Date(at.getTime() + 4_000),
    },
  ]);
}
