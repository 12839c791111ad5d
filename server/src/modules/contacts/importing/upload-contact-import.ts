import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entityOf } from '#contract/fields/rules';
import { contactImportChanged } from '#contract/contacts/importing/events';
import type { TextEncoding } from '#contract/contacts/importing/encodings';
import type { ContactImport } from '#contract/contacts/importing/schemas';
import {
  headerSlug,
  hasNameAndNumber,
  maxRows,
  addedColumns,
  suggestMapping,
} from '#contract/contacts/importing/rules';
import type { Upload } from '../../../platform/routes.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { fail, failAll } from '../../../platform/errors.ts';
import { ThreadLimitError, runInThread } from '../../../platform/worker-thread.ts';
import { apiErrors } from '#contract';
import { fieldsFor } from '../../fields/index.ts';
import { presentImport } from './present.ts';
import type { ContactFile, ReadableFile } from './read-contact-file.ts';
import { insertImport, savedMapping } from './store.ts';

const readTimeoutSeconds = 60;
const stagingType = 'application/x-ndjson';
const failInvalidFile = (why: string): never =>
  failAll('import.bad_file', [
    { code: 'import.bad_file', title: apiErrors['import.bad_file'].text, detail: why },
  ]);

/**
 * Reads an uploaded file into a staging file, which check and import read. Its type shows in its
 * bytes. `encoding`: how its text is read; left out: it is guessed. A thread with limits on time and memory reads it, so that other requests don't wait.
 * Fails with `import.bad_file` or `import.too_many_rows`.
 */
export async function uploadContactImport(
  ctx: Ctx,
  files: readonly Upload[],
  encoding?: TextEncoding,
): Promise<{ data: ContactImport }> {
  const file =
    files.find(({ field }) => field === 'file') ??
    files[0] ??
    failInvalidFile('Choose a CSV or XLSX file.');
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-import-'));
  try {
    const stagingPath = join(folder, 'rows');
    const read = await runInThread<ContactFile>(
      'readContactFile',
      { bytes: await file.bytes(), into: stagingPath, encoding },
      readTimeoutSeconds,
    );
    if ('why' in read) return failInvalidFile(read.why);
    if ('tooMany' in read)
      return fail('import.too_many_rows', { most: maxRows.toLocaleString('en-US') });
    const received = await ctx.files.receive(
      ctx.companyId,
      stagingType,
      createReadStream(stagingPath),
      ctx.now,
    );
    return await ctx.transaction((t) => storeUpload(t, file, read, received));
  } catch (error) {
    if (error instanceof ThreadLimitError)
      return failInvalidFile(
        'The file takes too long to read. Split it into several files, or save it as CSV.',
      );
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Stores the import with the mapping last used for these columns, or a suggested one. */
async function storeUpload(
  t: TxCtx,
  file: Upload,
  { format, encoding, headers, sample, count }: ReadableFile,
  received: Awaited<ReturnType<Ctx['files']['receive']>>,
): Promise<{ data: ContactImport }> {
  const name =
    file.name
      .replace(/[\p{Cc}/\\]/gu, ' ')
      .trim()
      .slice(-200) || 'contacts';
  const stored = await t.files.insertRow(
    t.tx,
    t.companyId,
    { name: `${name}.rows`, contentType: stagingType, purpose: 'contact-import', received },
    t.now,
  );
  const key = headersKey(headers);
  const saved = await savedMapping(t.tx, t.companyId, key);
  const remembered = saved && headers.map((header) => saved[headerSlug(header)] ?? null);
  const useRemembered = remembered !== null && hasNameAndNumber(remembered);
  const suggested = suggestMapping(headers, await fieldsFor(t, entityOf.contact));
  const row = await insertImport(t.tx, {
    company_id: t.companyId,
    file_name: name,
    format,
    encoding,
    bytes: file.size,
    headers,
    headers_key: key,
    sample,
    row_count: count,
    rows_file_id: stored.id,
    mapping: useRemembered ? remembered : suggested,
    remembered: useRemembered,
    created_by: t.actor.userId || null,
    created_by_name: t.actor.name,
    created_at: t.now,
  });
  await t.publish(contactImportChanged, { importId: row.id, state: 'uploaded' });
  return { data: presentImport(t, row) };
}

/**
 * The same for files with the same columns in any order, with or without those that result files
 * add.
 */
export const headersKey = (headers: readonly string[]): string => {
  const ownColumns = new Set(addedColumns.map(headerSlug));
  return headers
    .map(headerSlug)
    .filter((slug) => !ownColumns.has(slug))
    .sort()
    .join('\u001f');
};
