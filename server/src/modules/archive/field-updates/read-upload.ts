import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fieldUpdateLimits, type UpdatableType } from '#contract/archive/field-updates/rules';
import { invalid } from '../../../platform/errors.ts';
import type { Upload } from '../../../platform/routes.ts';
import { ThreadLimitError, runInThread } from '../../../platform/worker-thread.ts';
import { stagedRowOf, type ContactFile, type FileRow } from '../../contacts/index.ts';
import { readHeaders, type Headers } from './read-headers.ts';

const readTimeoutSeconds = 60;
const megabyte = 1024 * 1024;
const rowsText = fieldUpdateLimits.rows.toLocaleString('en-US');

/** A file as it was uploaded, and what its rows say. */
export interface UploadedRows extends Headers {
  name: string;
  contentType: string;
  bytes: Buffer;
  headers: string[];
  rows: FileRow[];
}

/**
 * Reads an uploaded CSV or XLSX file in a thread with limits on time and memory, so that other
 * requests don't wait. Fails with 422 at `file`, with what is wrong.
 */
export async function readUpload(
  files: readonly Upload[],
  said: UpdatableType | undefined,
): Promise<UploadedRows> {
  const file = files.find(({ field }) => field === 'file') ?? files[0];
  if (!file) return invalid({ file: 'Choose a CSV or XLSX file.' });
  if (file.size > fieldUpdateLimits.megabytes * megabyte)
    return invalid({
      file: `The file is larger than ${fieldUpdateLimits.megabytes} MB. Split it into several files.`,
    });
  const bytes = await file.bytes();
  const { format, headers, rows } = await readRows(bytes);
  const read = readHeaders(headers, said);
  if (typeof read === 'string') return invalid({ file: read });
  return {
    ...read,
    name: nameOfFile(file.name),
    contentType:
      format === 'csv'
        ? 'text/csv; charset=utf-8'
        : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    bytes,
    headers,
    rows,
  };
}

const nameOfFile = (name: string): string =>
  name
    .replace(/[\p{Cc}/\\]/gu, ' ')
    .trim()
    .slice(-200) || 'custom-fields.csv';

async function readRows(bytes: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-fields-'));
  try {
    const into = join(folder, 'rows');
    const read = await runInThread<ContactFile>(
      'readContactFile',
      { bytes, into },
      readTimeoutSeconds,
    );
    if ('why' in read) return invalid({ file: read.why });
    if ('tooMany' in read || read.count > fieldUpdateLimits.rows)
      return invalid({
        file: `A file can have up to ${rowsText} rows. Split it into several files.`,
      });
    const lines = (await readFile(into, 'utf8')).trimEnd().split('\n');
    return { format: read.format, headers: read.headers, rows: lines.map(stagedRowOf) };
  } catch (error) {
    if (error instanceof ThreadLimitError)
      return invalid({
        file: 'The file takes too long to read. Split it into several files, or save it as CSV.',
      });
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
