import type { ContactImport, ImportOptions } from '#contract/contacts/importing/schemas';
import type { Ctx } from '../../../platform/context.ts';
import { areDetailsMasked } from '../present.ts';
import type { ImportRow } from './store.ts';

export const UNDO_HOURS = 24;
export const FILES_DAYS = 30;
/** The import's page, with its files. */
export const importPath = (importId: number) => `/contacts/import?import=${importId}`;
export const defaultOptions: ImportOptions = {
  existing: 'update',
  groupIds: [],
  newGroup: null,
  labelIds: [],
  optinType: null,
  optinSource: '',
};
const addMs = (at: Date, ms: number) => new Date(at.getTime() + ms);
const iso = (at: Date | null) => at?.toISOString() ?? null;
/** Until when the import can be undone; null: not (any more). */
const undoDeadline = (row: Pick<ImportRow, 'finished_at' | 'state'>): Date | null =>
  row.finished_at && row.state === 'finished'
    ? addMs(row.finished_at, UNDO_HOURS * 3_600_000)
    : null;

/** True when the file of another user has contact details that this user can't see. */
export const isHidden = (
  ctx: Pick<Ctx, 'may' | 'actor'>,
  row: Pick<ImportRow, 'created_by'>,
): boolean => areDetailsMasked(ctx) && row.created_by !== ctx.actor.userId;

/**
 * An import as the API returns it. Links to its files (valid for an hour) are null for those who
 * mustn't see contact details.
 */
export function presentImport(
  ctx: Pick<Ctx, 'files' | 'now' | 'may' | 'actor'>,
  row: ImportRow,
): ContactImport {
  const isMasked = isHidden(ctx, row);
  const sign = (fileId: number | null) =>
    fileId === null || isMasked ? null : ctx.files.signUrl(row.company_id, fileId, ctx.now, 3600);
  const until = undoDeadline(row);
  return {
    id: row.id,
    companyId: row.company_id,
    batchId: row.undo_batch_id ?? row.batch_id,
    state: row.state as ContactImport['state'],
    fileName: row.file_name,
    format: row.format as 'csv',
    encoding: row.encoding as ContactImport['encoding'],
    bytes: row.bytes,
    rows: row.row_count,
    headers: row.headers,
    sample: isMasked ? [] : row.sample,
    mapping: row.mapping,
    mappingFrom: row.remembered ? 'remembered' : 'guessed',
    options: { ...defaultOptions, ...row.options },
    processed: row.processed,
    created: row.created,
    updated: row.updated,
    unchanged: row.unchanged,
    skipped: row.skipped,
    noted: row.noted,
    skippedBy: row.skipped_by,
    failure: row.failure,
    resultUrl: sign(row.result_file_id),
    mistakesUrl: sign(row.mistakes_file_id),
    filesUntil: row.result_file_id ? iso(addMs(row.created_at, FILES_DAYS * 86_400_000)) : null,
    canUndoUntil: until && until > ctx.now ? iso(until) : null,
    undone: row.undone,
    createdBy: row.created_by ? { id: row.created_by, name: row.created_by_name } : null,
    createdAt: row.created_at.toISOString(),
    startedAt: iso(row.started_at),
    finishedAt: iso(row.finished_at),
    undoneAt: iso(row.undone_at),
  };
}
