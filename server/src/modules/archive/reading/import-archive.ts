import type { Services } from '../../../platform/context.ts';
import { systemCtx, withTx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/db.ts';
import { resumeTimers } from '../../conversations/index.ts';
import { createSipCredentials } from '../../identity/index.ts';
import { makeHitDay } from '../../tracking/index.ts';
import { filePath, tablePath, type Manifest } from '../manifest.ts';
import { archivedTables, type ArchivedTable } from '../store-archive.ts';
import { personColumns, setAgain } from '../tables.ts';
import { checkFit, checkRoom, checkSame } from './checks.ts';
import { linesOf, openArchive, type OpenArchive } from './open-archive.ts';
import { COPY_AGAIN, guarded, refuse } from './refusal.ts';
import {
  countWaiting,
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
interface ImportedArchive {
  company: Manifest['company'];
  tables: number;
  rows: number;
  files: number;
  /** Files whose bytes were missing where the archive was written. */
  missingFiles: number;
  /** People who got an account, and those who had one with the same ID and email. */
  newPeople: number;
  knownPeople: number;
  /**
   * Campaigns and scheduled texts that will be sent from here, and texts whose time was before the
   * import: nobody knows whether they were sent, so they aren't.
   */
  waiting: { campaigns: number; scheduled: number; overdue: number };
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
  options: { dryRun: boolean; onProgress?: (done: number, total: number) => void },
): Promise<ImportedArchive> {
  const archive = await openArchive(path);
  const stored: string[] = [];
  const total = Object.values(archive.manifest.entries).reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const onProgress = (bytes: number) => options.onProgress?.((done += bytes), total);
  try {
    return await services.db.background.systemTransaction(async (tx) => {
      const tables = await archivedTables(tx);
      const run: Import = { ...{ services, archive, tx, tables, onProgress, stored } };
      const result = await importInto(run, options.dryRun);
      if (options.dryRun) throw new DryRunEnd(result);
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

async function importInto(run: Import, dryRun: boolean): Promise<ImportedArchive> {
  const { tx, tables, archive, services } = run;
  const { manifest } = archive;
  await checkFit(run);
  await prepareImport(tx);
  for (const table of tables)
    await hold(run, table.name, table.columns, table.name === 'company' ? 'id' : 'company_id');
  await hold(run, 'person', personColumns, null);
  await hold(run, 'number_directory', ['number', 'company_id', 'number_id'], 'company_id');
  await checkRoom(tx);
  await makeHitDays(run);
  await holdKeys(tx, await storeFiles(run, dryRun));
  for (const entry of Object.keys(manifest.entries))
    if (entry.startsWith('spreadsheets/')) await readThrough(run, entry);
  const people = await guarded('person', () => insertPeople(tx));
  for (const id of people)
    await createSipCredentials(
      tx,
      services.settings.appSecrets,
      { id },
      new URL(services.settings.publicUrl).hostname,
    );
  for (const table of await inOrder(tx, tables))
    await guarded(table.name, () => insertRows(tx, table));
  for (const table of tables.filter(({ name }) => setAgain.includes(name)))
    await guarded(table.name, () => setRowsAgain(tx, table, manifest.company.id));
  await guarded('number_directory', () => insertDirectory(tx));
  await checkSame(run);
  const waiting = await resume(run);
  const missingFiles = manifest.left_out.files.length;
  const counts = Object.values(manifest.tables);
  return {
    company: manifest.company,
    tables: counts.length,
    rows: counts.reduce((sum, { rows }) => sum + rows, 0),
    files: (manifest.tables['file']?.rows ?? 0) - missingFiles,
    missingFiles,
    newPeople: people.length,
    knownPeople: (manifest.tables['person']?.rows ?? 0) - people.length,
    waiting,
  };
}

/** What the archive doesn't have: the audit log's row of the import, and the jobs of what waits. */
async function resume({ services, archive, tx }: Import): Promise<ImportedArchive['waiting']> {
  const { company, created_at } = archive.manifest;
  // The relay polls, so nothing needs to wake it.
  const asleep = { markDirty: () => {}, notify: () => {} };
  const t = withTx(systemCtx(services, company.id, asleep, 'operator'), tx, asleep);
  await audit(t, 'archive.imported', `company:${company.id}`, { after: { created_at } });
  return { campaigns: await countWaiting(tx, company.id), ...(await resumeTimers(t)) };
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
