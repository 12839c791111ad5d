import type { Answer, companyImports as contract } from '#contract';
import { enqueueIn, type Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { companyImportJob } from './job-kinds.ts';
import { presentImport } from './present.ts';
import { removeParts } from './remove-parts.ts';
import {
  deleteImport,
  importRow,
  importRows,
  moveImport,
  otherIsActive,
  type ImportRow,
} from './store.ts';

// The system role: archives that platform staff uploaded belong to no company.

const LISTED = 50;

/** The newest uploads. */
export async function listCompanyImports(
  ctx: Ctx,
): Promise<Answer<typeof contract.listCompanyImports>> {
  return { data: (await importRows(ctx.db.unscoped, LISTED)).map(presentImport) };
}

/** One upload with its report. Fails with 404. */
export async function getCompanyImport(
  ctx: Ctx,
  id: number,
): Promise<Answer<typeof contract.getCompanyImport>> {
  return { data: presentImport((await importRow(ctx.db.unscoped, id)) ?? notFound()) };
}

/**
 * Queues another dry run. Fails with `company_import.not_ready` while it is uploaded or runs, and
 * after its import.
 */
export async function checkCompanyImport(
  ctx: Ctx,
  id: number,
): Promise<Answer<typeof contract.checkCompanyImport>> {
  const change = { state: 'queued', report: null, reasons: [], failure: null } as const;
  const again = { ...change, progress: 0, moved_at: ctx.now, finished_at: null };
  return begin(ctx, id, true, (tx) => moveImport(tx, id, ['ready', 'refused', 'failed'], again));
}

/** Queues the import of a checked archive. Fails with `company_import.not_ready` for any other. */
export async function startCompanyImport(
  ctx: Ctx,
  id: number,
): Promise<Answer<typeof contract.startCompanyImport>> {
  const { userId, name, admin } = ctx.actor;
  const by = { imported_by: userId, imported_by_name: name, import_reason: admin?.reason ?? null };
  const change = { state: 'importing', progress: 0, moved_at: ctx.now, ...by } as const;
  const started = await begin(ctx, id, false, (tx) => moveImport(tx, id, ['ready'], change));
  ctx.log.info({ userId, importId: id }, 'platform staff began the import of a company');
  return started;
}

async function begin(
  ctx: Ctx,
  id: number,
  dryRun: boolean,
  move: (tx: Tx) => Promise<ImportRow | undefined>,
): Promise<Answer<typeof contract.getCompanyImport>> {
  const begun = ctx.db.systemTransaction(async (tx) => {
    const row = (await importRow(tx, id)) ?? notFound();
    if (['ready', 'refused', 'failed'].includes(row.state)) {
      if (!row.parts.length) fail('company_import.gone');
      if (await otherIsActive(tx, id)) fail('company_import.busy');
    }
    const changed = (await move(tx)) ?? fail('company_import.not_ready');
    await enqueueIn(tx, companyImportJob, { importId: id, dryRun });
    return { data: presentImport(changed) };
  });
  // Two at the same moment: the database lets one of them begin.
  return begun.catch((error: unknown) => {
    if ((error as { code?: string }).code === '23505') fail('company_import.busy');
    throw error;
  });
}

/**
 * Discards an upload with its bytes; a check of it ends. Fails with `company_import.running`, and with
 * `company_import.kept` after the import.
 */
export async function deleteCompanyImport(ctx: Ctx, id: number): Promise<void> {
  const deleted = await ctx.db.systemTransaction(async (tx) => {
    const row = (await importRow(tx, id)) ?? notFound();
    if (row.state === 'done') fail('company_import.kept');
    return (await deleteImport(tx, row.id)) ?? fail('company_import.running');
  });
  await removeParts(ctx, [deleted]);
}
