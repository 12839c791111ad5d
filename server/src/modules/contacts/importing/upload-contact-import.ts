import { entityOf } from '#contract/field-rules';
import { contactImportChanged, type ContactImport } from '#contract/importing';
import { headerWord, hasNameAndNumber, mostRows, ourColumns, suggestMapping } from '#contract/importing-rules';
import type { Upload } from '../../../platform/answer.ts';
import type { Ctx } from '../../../platform/context.ts';
import { refuse, refuseAll } from '../../../platform/refuse.ts';
import { refusals } from '#contract';
import { fieldsFor } from '../../fields/index.ts';
import { BadFile, TooManyRows } from './bad-file.ts';
import { presentImport } from './present.ts';
import { formatOf, rowsOf } from './read-file.ts';
import { lineOf } from './row-file.ts';
import { insertImport, rememberedMapping } from './store.ts';

const SAMPLE_ROWS = 10;
const PIECE_CHARACTERS = 256 * 1024;
const badFile = (why: string): never => refuseAll('import.bad_file', [{ code: 'import.bad_file', title: refusals['import.bad_file'].text, detail: why }]);

/**
 * Read a file of contacts once, row by row, into the file of rows that check and import read. It may be anything: what it is
 * shows by its bytes, and nothing of it is held longer than a row.
 */
export async function uploadContactImport(ctx: Ctx, files: readonly Upload[]): Promise<{ data: ContactImport }> {
  const file = files.find((f) => f.field === 'file') ?? files[0] ?? badFile('Choose a CSV or XLSX file.');
  try {
    const format = await formatOf(file.bytes);
    const rows = rowsOf(file.bytes, format);
    const first = await rows.next();
    if (first.done) badFile('The file holds no rows.');
    const headers = headersOf((first.value as { cells: string[] }).cells);
    const sample: { row: number; cells: string[] }[] = [];
    let count = 0;
    async function* pieces(): AsyncGenerator<Buffer> {
      let text = '';
      for await (const { row, cells } of rows) {
        const fitting = cells.length > headers.length ? cells.slice(0, headers.length) : cells;
        if (++count <= SAMPLE_ROWS) sample.push({ row, cells: fitting.map((c) => c.slice(0, 200)) });
        text += lineOf({ row, cells: fitting });
        if (text.length > PIECE_CHARACTERS) { yield Buffer.from(text); text = ''; }
      }
      if (count === 0) throw new BadFile('The file holds headers and no rows.');
      if (text) yield Buffer.from(text);
    }
    const received = await ctx.files.receive(ctx.companyId, 'application/x-ndjson', pieces(), ctx.now);
    return await ctx.transaction(async (t) => {
      const name = file.name.replace(/[\p{Cc}/\\]/gu, ' ').trim().slice(-200) || 'contacts';
      const stored = await t.files.enter(t.tx, t.companyId, { name: `${name}.rows`, contentType: 'application/x-ndjson', purpose: 'contact-import', received }, t.now);
      const key = headersKey(headers);
      const remembered = await rememberedMapping(t.tx, t.companyId, key);
      const guessed = suggestMapping(headers, await fieldsFor(t, entityOf.contact));
      const again = remembered && headers.map((h) => remembered[headerWord(h)] ?? null);
      const useful = again !== null && hasNameAndNumber(again);
      const row = await insertImport({
        company_id: t.companyId, file_name: name, format, bytes: file.bytes.length, headers, headers_key: key, sample, row_count: count, rows_file_id: stored.id, mapping: useful ? again : guessed, remembered: useful,
        created_by: t.actor.userId || null, created_by_name: t.actor.name, created_at: t.now,
      }, t.tx);
      await t.say(contactImportChanged, { importId: row.id, state: 'uploaded' });
      return { data: presentImport(t, row) };
    });
  } catch (error) {
    if (error instanceof BadFile) return badFile(error.message);
    if (error instanceof TooManyRows) return refuse('import.too_many_rows', { most: mostRows.toLocaleString('en-US') });
    throw error;
  }
}

/** Every column has a name, and no two the same. */
export function headersOf(cells: readonly string[]): string[] {
  const used = new Map<string, number>();
  return cells.map((cell, i) => {
    const name = cell.replace(/\s+/g, ' ').trim().slice(0, 120) || `Column ${letters(i)}`;
    const n = (used.get(name.toLowerCase()) ?? 0) + 1;
    used.set(name.toLowerCase(), n);
    return n === 1 ? name : `${name} (${n})`;
  });
}
const letters = (i: number): string => (i >= 26 ? letters(Math.floor(i / 26) - 1) : '') + String.fromCharCode(65 + (i % 26));
/** Files with the same columns in any order, with or without those that our result files add. */
export const headersKey = (headers: readonly string[]): string => { const ours = new Set(ourColumns.map(headerWord)); return headers.map(headerWord).filter((h) => !ours.has(h)).sort().join('\u001f'); };
