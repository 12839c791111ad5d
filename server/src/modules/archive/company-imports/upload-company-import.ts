import { randomUUID } from 'node:crypto';
import type { Answer, Body, companyImports as contract } from '#contract';
import { enqueueIn, type Ctx } from '../../../platform/context.ts';
import { fail, invalid, notFound } from '../../../platform/errors.ts';
import type { Upload } from '../../../platform/routes.ts';
import { companyImportJob } from './job-kinds.ts';
import { presentImport } from './present.ts';
import { removeParts } from './remove-parts.ts';
import {
  addPart,
  deleteAbandoned,
  deleteImport,
  importRow,
  insertImport,
  type ImportRow,
} from './store.ts';

// The system role: archives that platform staff uploaded belong to no company.

/** Fits the body limits of common proxies, and a request that is lost costs little. */
const PART_BYTES = 8 * 1024 ** 2;
/** Every ZIP file with an entry begins so. */
const ZIP_START = Buffer.from('PK\u0003\u0004', 'latin1');

/** Begins an upload. Fails with `company_import.too_large` and `company_import.busy`. */
export async function createCompanyImport(
  ctx: Ctx,
  { name, bytes }: Body<typeof contract.createCompanyImport>,
): Promise<Answer<typeof contract.createCompanyImport>> {
  const { archiveBytes, uploadBytes } = ctx.settings.limits;
  if (bytes > archiveBytes)
    fail('company_import.too_large', {
      megabytes: Math.floor(archiveBytes / 1024 ** 2).toLocaleString('en-US'),
    });
  const { abandoned, row } = await ctx.db.systemTransaction(async (tx) => ({
    abandoned: await deleteAbandoned(tx, ctx.now),
    row: await insertImport(
      tx,
      {
        ...{ name, bytes, part_bytes: Math.min(PART_BYTES, uploadBytes) },
        ...{ created_by: ctx.actor.userId, created_by_name: ctx.actor.name },
      },
      ctx.now,
    ),
  }));
  await removeParts(ctx, abandoned);
  return { data: presentImport(row ?? fail('company_import.busy')) };
}

/**
 * Stores the next part; with the last one the check begins. A part that arrived before, such as one
 * whose answer was lost, changes nothing. Fails with `company_import.part`, and
 * `company_import.not_archive` for a file that doesn't begin as a ZIP file, which isn't kept.
 */
export async function uploadCompanyImportPart(
  ctx: Ctx,
  id: number,
  { offset }: Body<typeof contract.uploadCompanyImportPart>,
  files: readonly Upload[],
): Promise<Answer<typeof contract.uploadCompanyImportPart>> {
  const row = (await importRow(ctx.db.unscoped, id)) ?? notFound();
  const [file] = files;
  if (!file?.size) return invalid({ part: 'Send the bytes of this part.' });
  if (file.size > row.part_bytes) return invalid({ part: 'This part is too large.' });
  if (offset + file.size <= row.received) return { data: presentImport(row) };
  if (offset !== row.received || offset + file.size > row.bytes) fail('company_import.part');
  const bytes = await file.bytes();
  if (offset === 0 && !bytes.subarray(0, ZIP_START.length).equals(ZIP_START)) {
    await ctx.db.systemTransaction((tx) => deleteImport(tx, id));
    fail('company_import.not_archive');
  }
  const key = `company-imports/${id}/${randomUUID()}`;
  await ctx.files.blobs.put(key, bytes, 'application/octet-stream');
  const stored = await storePart(ctx, id, offset, { key, bytes: bytes.length });
  if (stored) return { data: presentImport(stored) };
  // Another request stored it meanwhile, or somebody discarded the upload.
  await ctx.files.blobs.remove(key);
  return fail('company_import.part');
}

const storePart = (
  ctx: Ctx,
  id: number,
  offset: number,
  part: { key: string; bytes: number },
): Promise<ImportRow | undefined> =>
  ctx.db.systemTransaction(async (tx) => {
    const added = await addPart(tx, id, offset, part, ctx.now);
    if (added?.state === 'queued')
      await enqueueIn(tx, companyImportJob, { importId: id, dryRun: true });
    return added;
  });
