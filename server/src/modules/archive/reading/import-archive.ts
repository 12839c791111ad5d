import { createHash } from 'node:crypto';
import type { Services } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { schemaVersion } from '../../../platform/migrate.ts';
import { createSipCredentials } from '../../identity/index.ts';
import { filePath, tablePath, type Manifest } from '../manifest.ts';
import {
  archivedTables,
  directoryLines,
  tableLines,
  type ArchivedTable,
} from '../store-archive.ts';
import { personColumns, setAgain } from '../tables.ts';
import { linesOf, openArchive, type OpenArchive } from './open-archive.ts';
import { ArchiveRefusal, COPY_AGAIN, refuse, rowProblem } from './refusal.ts';
import {
  companyInTheWay,
  heldFiles,
  holdKeys,
  holdLines,
  inOrder,
  insertDirectory,
  insertPeople,
  insertRows,
  numbersInTheWay,
  peopleInTheWay,
  prepareImport,
  setRowsAgain,
  strangeRow,
} from './store-import.ts';

// The system role: a company that isn't there yet, people and the directory of numbers.

/** What was imported, or would be. */
export interface ImportedArchive {
  company: Manifest['company'];
  tables: number;
  rows: number;
  files: number;
  /** Files whose bytes were missing where the archive was written. */
  missingFiles: number;
  /** People who got an account, and those who had one with the same ID and email. */
  newPeople: number;
  knownPeople: number;
}

interface Import {
  services: Pick<Services, 'db' | 'files' | 'settings' | 'now'>;
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
  };
}

/** Runs a statement; what PostgreSQL says of the archive's rows becomes a refusal. */
async function guarded<T>(table: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const problem = rowProblem(error, table);
    if (problem) throw new ArchiveRefusal(problem, { cause: error });
    throw error;
  }
}

/** The archive must be of the same version and have exactly its tables and columns. */
async function checkFit({ tx, tables, archive: { manifest } }: Import): Promise<void> {
  const here = await schemaVersion();
  if (manifest.schema !== here)
    refuse(
      `The archive was written by another version (tables ${manifest.schema}, here ${here}). Update both installations to the same version and create the archive again.`,
    );
  const expected = new Map<string, readonly string[]>([
    ...tables.map(({ name, columns }) => [name, columns] as const),
    ['person', personColumns],
    ['number_directory', ['number', 'company_id', 'number_id']],
  ]);
  for (const name of Object.keys(manifest.tables))
    if (!expected.has(name))
      refuse(`The archive has a table that this version doesn’t know: ${name}. ${COPY_AGAIN}`);
  for (const [name, columns] of expected) {
    const given =
      manifest.tables[name]?.columns ??
      refuse(`The archive lacks the table ${name}. ${COPY_AGAIN}`);
    if (!manifest.entries[tablePath(name)])
      refuse(`The archive lacks the table ${name}. ${COPY_AGAIN}`);
    const odd = [
      ...given.filter((column) => !columns.includes(column)),
      ...columns.filter((column) => !given.includes(column)),
    ];
    if (odd.length)
      refuse(
        `The table ${name} has other columns in the archive than here: ${odd.join(', ')}. ${COPY_AGAIN}`,
      );
  }
  const there = await companyInTheWay(tx, manifest.company);
  if (there?.id === manifest.company.id)
    refuse(
      `The company ${there.name} is here already. An archive is read into an installation without it.`,
    );
  if (there)
    refuse(
      `The company ${there.name} has the same short name here (${manifest.company.slug}). Rename it first, then import again.`,
    );
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
  if (rows !== manifest.tables[name]!.rows)
    // Checked by `checkFit`.
    refuse(
      `The table ${name} has ${rows} rows, but its manifest says ${manifest.tables[name]!.rows}. ${COPY_AGAIN}`,
    );
  const strange = await strangeRow(tx, { table: name, columns, company }, manifest.company.id);
  if (strange === 'company')
    refuse(
      `The table ${name} has a row of another company, so the archive is not imported. ${COPY_AGAIN}`,
    );
  if (strange) refuse(`A row of the table ${name} has other columns than the table. ${COPY_AGAIN}`);
}

/** Nobody else here may have the archive's people, or its numbers. */
async function checkRoom(tx: Tx): Promise<void> {
  const [person] = await guarded('person', () => peopleInTheWay(tx));
  if (person?.byEmail)
    refuse(
      `${person.email} has an account here that isn’t the one of the archive. Change the email of that account first, then import again.`,
    );
  if (person)
    refuse(
      `The ID of ${person.email} belongs to another person here, so the archive can’t be imported here.`,
    );
  const numbers = await numbersInTheWay(tx);
  if (numbers.length)
    refuse(
      `${numbers.join(', ')} belongs to another company here. Release it there first, then import again.`,
    );
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

/** What the tables hold now must be what the archive says, to the byte. */
async function checkSame({ tx, tables, archive: { manifest } }: Import): Promise<void> {
  const { id } = manifest.company;
  const compare = (name: string, hash: string) => {
    if (hash !== manifest.entries[tablePath(name)]!.sha256)
      // Checked by `checkFit`.
      refuse(
        `The table ${name} would differ from the archive, so nothing was imported. ${COPY_AGAIN}`,
      );
  };
  for (const table of tables) {
    const hash = createHash('sha256');
    for await (const lines of tableLines(tx, table, id)) hash.update(`${lines.join('\n')}\n`);
    compare(table.name, hash.digest('hex'));
  }
  const directory = await directoryLines(tx, id);
  compare(
    'number_directory',
    createHash('sha256')
      .update(directory.map((line) => `${line}\n`).join(''))
      .digest('hex'),
  );
}
