import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entityOf } from '#contract/fields/rules';
import { contactImportChanged } from '#contract/contacts/importing/events';
import type { ContactImport } from '#contract/contacts/importing/schemas';
import {
  headerSlug,
  hasNameAndNumber,
  maxRows,
  addedColumns,
  suggestMapping,
} from '#contract/contacts/importing/rules';
import type { Upload } from '../../../platform/routes.ts';
import type { Ctx } from '../../../platform/context.ts';
import { fail, failAll } from '../../../platform/errors.ts';
import { ThreadLimitError, runInThread } from '../../../platform/worker-thread.ts';
import { refusals } from '#contract';
import { fieldsFor } from '../../fields/index.ts';
import { presentImport } from './present.ts';
import type { ContactFile } from './read-contact-file.ts';
import { insertImport, savedMapping } from './store.ts';

const readTimeoutSeconds = 60;
const failInvalidFile = (why: string): never =>
  failAll('import.bad_file', [
    { code: 'import.bad_file', title: refusals['import.bad_file'].text, detail: why },
  ]);

/**
 * Read a file of contacts once, row by row, into the file of rows that check and import read. It may be anything: what it is
 * shows by its bytes. A thread of its own reads it, so that nobody waits for it, within bounds of time and memory.
 */
export async function uploadContactImport(
  ctx: Ctx,
  files: readonly Upload[],
): Promise<{ data: ContactImport }> {
  const file =
    files.find((f) => f.field === 'file') ??
    files[0] ??
    failInvalidFile('Choose a CSV or XLSX file.');
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-import-'));
  try {
    const outputPath = join(folder, 'rows');
    const read = await runInThread<ContactFile>(
      'readContactFile',
      { bytes: await file.bytes(), into: outputPath },
      readTimeoutSeconds,
    );
    if ('why' in read) return failInvalidFile(read.why);
    if ('tooMany' in read)
      return fail('import.too_many_rows', { most: maxRows.toLocaleString('en-US') });
    const { format, headers, sample, count } = read;
    const received = await ctx.files.receive(
      ctx.companyId,
      'application/x-ndjson',
      createReadStream(outputPath),
      ctx.now,
    );
    return await ctx.transaction(async (t) => {
      const name =
        file.name
          .replace(/[\p{Cc}/\\]/gu, ' ')
          .trim()
          .slice(-200) || 'contacts';
      const stored = await t.files.insertRow(
        t.tx,
        t.companyId,
        {
          name: `${name}.rows`,
          contentType: 'application/x-ndjson',
          purpose: 'contact-import',
          received,
        },
        t.now,
      );
      const key = headersKey(headers);
      const remembered = await savedMapping(t.tx, t.companyId, key);
      const guessed = suggestMapping(headers, await fieldsFor(t, entityOf.contact));
      const rememberedColumns = remembered && headers.map((h) => remembered[headerSlug(h)] ?? null);
      const usesRemembered = rememberedColumns !== null && hasNameAndNumber(rememberedColumns);
      const row = await insertImport(
        {
          company_id: t.companyId,
          file_name: name,
          format,
          bytes: file.size,
          headers,
          headers_key: key,
          sample,
          row_count: count,
          rows_file_id: stored.id,
          mapping: usesRemembered ? rememberedColumns : guessed,
          remembered: usesRemembered,
          created_by: t.actor.userId || null,
          created_by_name: t.actor.name,
          created_at: t.now,
        },
        t.tx,
      );
      await t.publish(contactImportChanged, { importId: row.id, state: 'uploaded' });
      return { data: presentImport(t, row) };
    });
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

/** Files with the same columns in any order, with or without those that our result files add. */
export const headersKey = (headers: readonly string[]): string => {
  const ownColumns = new Set(addedColumns.map(headerSlug));
  return headers
    .map(headerSlug)
    .filter((h) => !ownColumns.has(h))
    .sort()
    .join('\u001f');
};
