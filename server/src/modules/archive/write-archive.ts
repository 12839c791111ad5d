import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { quoteCsv, safeCell } from '#contract/csv';
import type { FileStore } from '../../platform/files.ts';
import type { Tx } from '../../platform/db.ts';
import {
  FORMAT,
  MANIFEST,
  filePath,
  spreadsheetPath,
  tablePath,
  type Manifest,
} from './manifest.ts';
import {
  archivedFiles,
  directoryLines,
  personLines,
  referencedPeople,
  spreadsheetLines,
  spreadsheets,
  tableLines,
  type ArchivedTable,
} from './store-archive.ts';
import { leftOutColumn, leftOutRows, leftOutTables, personColumns } from './tables.ts';

/** What an archive is made of. */
interface ArchiveSource {
  /** The company's rows as of one moment. */
  tx: Tx;
  /** People and the directory of numbers, which belong to no company. */
  directory: Tx;
  files: FileStore;
  company: { id: number; name: string; slug: string };
  tables: readonly ArchivedTable[];
  schema: string;
  now: Date;
  /** Told after each few hundred rows how many were written. */
  onRows: (rows: number) => Promise<void>;
}

/**
 * The company as a ZIP file, piece by piece: never more than a few hundred rows are held. Entries are
 * made one after the other, so they share one cursor; the manifest is the last, when all is known.
 */
export async function* writeArchive(source: ArchiveSource): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const writer = new ArchiveWriter(source);
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  const add = (path: string, chunks: () => AsyncGenerator<Buffer>, compress = true): void =>
    zip.addReadStreamLazy(path, { compress, mtime: source.now }, (done) => {
      const entry = Readable.from(chunks(), { objectMode: false });
      // The library would wait forever for the rest of an entry that failed.
      entry.once('error', (error) => output.destroy(error));
      done(null, entry);
    });
  for (const table of source.tables) add(tablePath(table.name), () => writer.table(table));
  add(tablePath('person'), () => writer.people());
  add(tablePath('number_directory'), () => writer.directory());
  for (const name of Object.keys(spreadsheets))
    add(spreadsheetPath(name), () => writer.spreadsheet(name));
  for (const file of await archivedFiles(source.tx, source.company.id))
    add(
      filePath(file.id),
      () => writer.file(file),
      !/^(audio|image|video)\//.test(file.contentType),
    );
  add(MANIFEST, () => writer.manifest());
  zip.end();
  for await (const chunk of output) yield chunk as Buffer;
}

class ArchiveWriter {
  private readonly tables: Manifest['tables'] = {};
  private readonly entries: Manifest['entries'] = {};
  private readonly missing: string[] = [];

  constructor(private readonly source: ArchiveSource) {}

  async *table(table: ArchivedTable): AsyncGenerator<Buffer> {
    const { tx, company } = this.source;
    yield* this.lines(table.name, table.columns, tableLines(tx, table, company.id));
  }

  async *people(): AsyncGenerator<Buffer> {
    const { tx, directory, tables, company } = this.source;
    const ids = await referencedPeople(tx, tables, company.id);
    yield* this.lines('person', [...personColumns], [await personLines(directory, ids)]);
  }

  async *directory(): AsyncGenerator<Buffer> {
    const { directory, company } = this.source;
    const columns = ['number', 'company_id', 'number_id'];
    yield* this.lines('number_directory', columns, [await directoryLines(directory, company.id)]);
  }

  async *spreadsheet(name: string): AsyncGenerator<Buffer> {
    const sheet = spreadsheets[name]!; // One of its keys.
    yield* this.hashed(spreadsheetPath(name), this.csv(sheet));
  }

  async *file({ id, key }: { id: number; key: string }): AsyncGenerator<Buffer> {
    const path = filePath(id);
    const bytes = await this.source.files.blobs.stream(key).catch(() => null);
    if (bytes === null) this.missing.push(path);
    yield* this.hashed(path, bytes ?? []);
  }

  async *manifest(): AsyncGenerator<Buffer> {
    const { company, schema, now, tables } = this.source;
    const manifest: Manifest = {
      format: FORMAT,
      schema,
      created_at: now.toISOString(),
      company,
      tables: this.tables,
      entries: this.entries,
      left_out: {
        tables: leftOutTables,
        columns: {
          ...Object.fromEntries(
            tables.flatMap((table) =>
              table.leftOut.map((column) => [
                `${table.name}.${column}`,
                leftOutColumn(table.name, column) ?? '',
              ]),
            ),
          ),
          person: `all but ${personColumns.join(', ')}`,
        },
        rows: Object.fromEntries(
          Object.entries(leftOutRows).map(([table, { reason }]) => [table, reason]),
        ),
        files: this.missing,
      },
    };
    yield Buffer.from(JSON.stringify(manifest, null, 1));
  }

  private async *csv(sheet: { columns: readonly string[]; from: string }): AsyncGenerator<Buffer> {
    yield Buffer.from(`\uFEFF${sheet.columns.join(',')}\r\n`);
    for await (const lines of spreadsheetLines(this.source.tx, sheet))
      yield Buffer.from(
        lines
          .map((line) => (JSON.parse(line) as string[]).map((cell) => quoteCsv(safeCell(cell))))
          .map((cells) => `${cells.join(',')}\r\n`)
          .join(''),
      );
  }

  private async *lines(
    name: string,
    columns: string[],
    pages: AsyncIterable<string[]> | Iterable<string[]>,
  ): AsyncGenerator<Buffer> {
    const counts = { rows: 0, columns };
    this.tables[name] = counts;
    const { onRows } = this.source;
    async function* chunks() {
      for await (const lines of pages) {
        counts.rows += lines.length;
        await onRows(lines.length);
        if (lines.length) yield Buffer.from(`${lines.join('\n')}\n`);
      }
    }
    yield* this.hashed(tablePath(name), chunks());
  }

  /** The same bytes; their length and hash go into the manifest. */
  private async *hashed(
    path: string,
    chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  ): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
    this.entries[path] = { bytes, sha256: hash.digest('hex') };
  }
}
