import type { Services } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { createSipCredentials } from '../../identity/index.ts';
import { makeHitDay } from '../../tracking/index.ts';
import { filePath, tablePath, type Manifest } from '../manifest.ts';
import { archivedTables, type ArchivedTable } from '../store-archive.ts';
import { personColumns, setAgain } from '../tables.ts';
import { checkFit, checkRoom, checkSame } from './checks.ts';
import { linesOf, openArchive, type OpenArchive } from './open-archive.ts';
import { COPY_AGAIN, guarded, refuse } from './refusal.ts';
import { resume, type ImportedBy, type Waiting } from './resume.ts';
import {
  heldFiles,
  heldHitDays,
  holdKeys,
  holdLines,
  inOrder,
  insertDirectory,
  insertPeople,
  insertRows,
  prepareImport,
  setRowsAgain,
  strangeRow,
} from './store-import.ts';

// The system role: a company that isn't there yet, people and the directory of numbers.

/** Page views are kept for 90 days. */
const MOST_HIT_DAYS = 400;

/** What was imported, or would be. */
export interface ImportedArchive {
  company: Manifest['company'];
  writtenAt: string;
  tables: number;
  /** Rows by table. */
  counts: Readonly<Record<string, number>>;
  rows: number;
  files: number;
  /** Files whose bytes were missing where the archive was written. */
  missingFiles: number;
  /** People who got an account, and those who had one with the same ID and email. */
  newPeople: number;
  knownPeople: number;
  /** New people whose account is disabled, as it was. */
  disabledPeople: number;
  /** Numbers of people who were erased here after the archive was written: erased again. */
  erasedNumbers: number;
  /** People whose account was erased here after the archive was written: erased again. */
  erasedAccounts: number;
  waiting: Waiting;
}

interface ImportOptions {
  dryRun: boolean;
  /** Bytes of the parts that were read, inserted and compared; `total` is their sum. */
  onProgress?: (done: number, total: number) => void;
  /** Absent: the operator's command. */
  by?: ImportedBy;
  /** Runs at the end of the import's transaction: what it throws undoes the import. */
  onImported?: (tx: Tx, made: ImportedArchive) => Promise<void>;
}

interface Import {
  services: Services;
  archive: OpenArchive;
  tx: Tx;
  tables: ArchivedTable[];
  /** Told after each part what was read, of how many bytes. */
  onProgress: (bytes: number) => void;
  /** Keys of files that were stored, removed when the import fails. */
  stored: string[];
  by: ImportedBy | undefined;
}

/** Ends the transaction of a dry run. */
class DryRunEnd extends Error {
  constructor(readonly result: ImportedArchive) {
    super('dry run');
  }
}

/**
 * Imports a company's archive: all of it or nothing. A dry run does the same, stores no file and ends
 * with a rollback, so what it accepts can be imported.
 * @throws ArchiveRefusal with what to do
 */
export async function importArchive(
  services: Import['services'],
  path: string,
  { dryRun, by, ...options }: ImportOptions,
): Promise<ImportedArchive> {
  const archive = await openArchive(path);
  const stored: string[] = [];
  const total = workOf(archive.manifest);
  let done = 0;
  const onProgress = (bytes: number) => options.onProgress?.((done += bytes), total);
  try {
    return await services.db.background.systemTransaction(async (tx) => {
      const tables = await archivedTables(tx);
      const run: Import = { ...{ services, archive, tx, tables, onProgress, stored, by } };
      const result = await importInto(run, dryRun);
      if (dryRun) throw new DryRunEnd(result);
      await options.onImported?.(tx, result);
      return result;
    });
  } catch (error) {
    if (error instanceof DryRunEnd) return error.result;
    for (const key of stored) await services.files.blobs.remove(key);
    throw error;
  } finally {
    archive.close();
  }
}

/** Bytes to read, and those of tables to insert and to compare. */
function workOf({ entries, tables }: Manifest): number {
  const all = Object.values(entries).reduce((sum, { bytes }) => sum + bytes, 0);
  return Object.keys(tables)
    .filter((name) => !directories.includes(name))
    .reduce((sum, name) => sum + 2 * (entries[tablePath(name)]?.bytes ?? 0), all);
}
/** Of no company: they are inserted on their ways. */
const directories = ['person', 'number_directory'];

async function importInto(run: Import, dryRun: boolean): Promise<ImportedArchive> {
  const { tx, tables, archive, onProgress } = run;
  const { manifest } = archive;
  const onTable = (name: string) => onProgress(manifest.entries[tablePath(name)]?.bytes ?? 0);
  await checkFit(run);
  await prepareImport(tx);
  for (const table of tables)
    await hold(run, table.name, table.columns, table.name === 'company' ? 'id' : 'company_id');
  await hold(run, 'person', personColumns, null);
  await hold(run, 'number_directory', ['number', 'company_id', 'number_id'], 'company_id');
  await checkRoom(tx, manifest.company);
  await makeHitDays(run);
  await holdKeys(tx, await storeFiles(run, dryRun));
  for (const entry of Object.keys(manifest.entries))
    if (entry.startsWith('spreadsheets/')) await readThrough(run, entry);
  const people = await addPeople(run);
  for (const table of await inOrder(tx, tables)) {
    await guarded(table.name, () => insertRows(tx, table));
    onTable(table.name);
  }
  for (const table of tables.filter(({ name }) => setAgain.includes(name)))
    await guarded(table.name, () => setRowsAgain(tx, table, manifest.company.id));
  await guarded('number_directory', () => insertDirectory(tx));
  await checkSame({ ...run, onTable });
  const { waiting, erasedNumbers, erasedAccounts } = await resume(run);
  const missingFiles = manifest.left_out.files.length;
  const counts = Object.entries(manifest.tables).map(([name, { rows }]) => [name, rows] as const);
  return {
    company: manifest.company,
    writtenAt: manifest.created_at,
    tables: counts.length,
    counts: Object.fromEntries(counts),
    rows: counts.reduce((sum, [, rows]) => sum + rows, 0),
    files: (manifest.tables['file']?.rows ?? 0) - missingFiles,
    missingFiles,
    newPeople: people.length,
    knownPeople: (manifest.tables['person']?.rows ?? 0) - people.length,
    disabledPeople: people.filter(({ isDisabled }) => isDisabled).length,
    erasedNumbers,
    erasedAccounts,
    waiting,
  };
}

/** Adds the new people, each with credentials for phones. */
async function addPeople({ tx, services: { settings } }: Import) {
  const people = await guarded('person', () => insertPeople(tx));
  const host = new URL(settings.publicUrl).hostname;
  for (const person of people) await createSipCredentials(tx, settings.appSecrets, person, host);
  return people;
}

/** Reads a table's rows into the transaction and checks whose they are. */
async function hold(run: Import, name: string, columns: readonly string[], company: string | null) {
  const { tx, archive, onProgress } = run;
  const path = tablePath(name);
  let rows = 0;
  for await (const lines of linesOf(path, archive.read(path))) {
    rows += lines.length;
    await guarded(name, () => holdLines(tx, name, lines));
    onProgress(lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0));
  }
  const { manifest } = archive;
  const said = manifest.tables[name]?.rows;
  if (rows !== said)
    refuse(`The table ${name} has ${rows} rows, but its manifest says ${said}. ${COPY_AGAIN}`);
  const strange = await strangeRow(tx, { table: name, columns, company }, manifest.company.id);
  if (strange === 'company')
    refuse(
      `The table ${name} has a row of another company, so the archive is not imported. ${COPY_AGAIN}`,
    );
  if (strange) refuse(`A row of the table ${name} has other columns than the table. ${COPY_AGAIN}`);
}

/**
 * Makes the days that page views are stored in, outside the transaction: it would lock the table for
 * as long as the import takes. Empty days are deleted as old ones are.
 */
async function makeHitDays({ tx, services }: Import): Promise<void> {
  const days = await guarded('tracking_hit', () => heldHitDays(tx, MOST_HIT_DAYS + 1));
  if (days.length > MOST_HIT_DAYS)
    refuse(`The archive has page views of more than ${MOST_HIT_DAYS} days. ${COPY_AGAIN}`);
  for (const day of days) await makeHitDay(services.db, day);
}

/** Stores the files and returns their keys; a dry run only reads them. */
async function storeFiles(run: Import, dryRun: boolean): Promise<Map<number, string>> {
  const { tx, archive, services, stored, onProgress } = run;
  const { company, entries, left_out } = archive.manifest;
  const files = await heldFiles(tx);
  const known = new Set(files.map(({ id }) => filePath(id)));
  const odd = Object.keys(entries).find((path) => path.startsWith('files/') && !known.has(path));
  if (odd) refuse(`${odd} is no file of the company. ${COPY_AGAIN}`);
  const keys = new Map<number, string>();
  for (const file of files) {
    const path = filePath(file.id);
    const entry = entries[path] ?? refuse(`The archive lacks ${path}. ${COPY_AGAIN}`);
    if (left_out.files.includes(path)) continue;
    if (entry.sha256 !== file.sha256 || entry.bytes !== Number(file.bytes))
      refuse(`${path} isn’t the file that its row describes. ${COPY_AGAIN}`);
    if (dryRun) await readThrough(run, path);
    else {
      const received = await services.files.receive(
        company.id,
        file.contentType,
        archive.read(path),
        services.now(),
      );
      stored.push(received.key);
      keys.set(Number(file.id), received.key);
      onProgress(received.bytes);
    }
  }
  return keys;
}

async function readThrough({ archive, onProgress }: Import, path: string): Promise<void> {
  for await (const chunk of archive.read(path)) onProgress(chunk.length);
}
