import { uploadKeptDays } from '#contract/archive/company-imports/rules';
import type { CompanyImport } from '#contract/archive/company-imports/schemas';
import type { ImportRow } from './store.ts';

const DAY_MS = 86_400_000;

/** When the bytes of an upload are deleted. */
const keptUntil = (createdAt: Date): Date =>
  new Date(createdAt.getTime() + uploadKeptDays * DAY_MS);
/** When an upload began whose bytes are deleted now. */
export const keptSince = (now: Date): Date => new Date(now.getTime() - uploadKeptDays * DAY_MS);

/** Row → contract shape. */
export const presentImport = (row: ImportRow): CompanyImport => ({
  id: row.id,
  file: { name: row.name, bytes: row.bytes },
  state: row.state,
  received_bytes: row.received,
  part_bytes: row.part_bytes,
  progress: row.progress,
  report: row.report,
  reasons: [...row.reasons],
  failure: row.failure,
  has_file: row.parts.length > 0,
  created_by: { id: row.created_by, name: row.created_by_name },
  imported_by:
    row.imported_by === null ? null : { id: row.imported_by, name: row.imported_by_name ?? '' },
  created_at: new Date(row.created_at).toISOString(),
  finished_at: row.finished_at && new Date(row.finished_at).toISOString(),
  delete_at: row.parts.length ? keptUntil(new Date(row.created_at)).toISOString() : null,
});
