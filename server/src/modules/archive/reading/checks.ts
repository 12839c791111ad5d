import { createHash } from 'node:crypto';
import type { Tx } from '../../../platform/db.ts';
import { schemaVersion } from '../../../platform/migrate.ts';
import { tablePath, type Manifest } from '../manifest.ts';
import {
  directoryLines,
  referencedPeople,
  tableLines,
  type ArchivedTable,
} from '../store-archive.ts';
import { personColumns } from '../tables.ts';
import type { OpenArchive } from './open-archive.ts';
import { COPY_AGAIN, guarded, refuse } from './refusal.ts';
import { companyInTheWay, heldPeople, numbersInTheWay, peopleInTheWay } from './store-import.ts';

interface Checked {
  archive: OpenArchive;
  tx: Tx;
  tables: ArchivedTable[];
  /** Told after each table that was compared. */
  onTable: (name: string) => void;
}

/** The archive must be of the same version and have exactly its tables and columns. */
export async function checkFit({
  tx,
  tables,
  archive: { manifest },
}: Pick<Checked, 'tx' | 'tables' | 'archive'>): Promise<void> {
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
}

/**
 * Nobody else here may have the company's short name, the archive's people or its numbers. All of it
 * is named at once, since each takes a person some time.
 */
export async function checkRoom(tx: Tx, company: Manifest['company']): Promise<void> {
  const there = await companyInTheWay(tx, company);
  const people = await guarded('person', () => peopleInTheWay(tx));
  const numbers = await numbersInTheWay(tx);
  const reasons = [
    ...(there
      ? [
          `The company ${there.name} has the same short name here (${company.slug}). Rename it first, then import again.`,
        ]
      : []),
    ...people.map(({ email, byEmail }) =>
      byEmail
        ? `${email} has an account here that isn’t the one of the archive. Change the email of that account first, then import again.`
        : `The ID of ${email} belongs to another person here, so the archive can’t be imported here.`,
    ),
    ...(numbers.length
      ? [
          `${numbers.join(', ')} belongs to another company here. Release it there first, then import again.`,
        ]
      : []),
  ];
  if (reasons.length) refuse(...reasons);
}

/** What the tables hold now must be what the archive says, to the byte. */
export async function checkSame({
  tx,
  tables,
  archive: { manifest },
  onTable,
}: Checked): Promise<void> {
  const { id } = manifest.company;
  const compare = (name: string, hash: string) => {
    if (hash !== manifest.entries[tablePath(name)]?.sha256)
      refuse(
        `The table ${name} would differ from the archive, so nothing was imported. ${COPY_AGAIN}`,
      );
  };
  for (const table of tables) {
    const hash = createHash('sha256');
    for await (const lines of tableLines(tx, table, id)) hash.update(`${lines.join('\n')}\n`);
    compare(table.name, hash.digest('hex'));
    onTable(table.name);
  }
  // A row that names someone else would let a person of this installation into the company.
  const [named, held] = [await referencedPeople(tx, tables, id), await heldPeople(tx)];
  if (named.join() !== held.join())
    refuse(
      `The archive’s rows name other people than its table person, so nothing was imported. ${COPY_AGAIN}`,
    );
  const directory = await directoryLines(tx, id);
  compare(
    'number_directory',
    createHash('sha256')
      .update(directory.map((line) => `${line}\n`).join(''))
      .digest('hex'),
  );
}
