import type { ContactValues, RowResult } from './rules.ts';

/** A row's result with what an undo needs. */
export interface UndoRecord extends RowResult {
  before?: ContactValues;
  after?: ContactValues;
  /** Groups and labels the row added the contact to. */
  groupIds?: readonly number[];
  labelIds?: readonly number[];
  /** Further numbers that the contact got. */
  numbers?: readonly string[];
  custom?: readonly { key: string; before: string | null; after: string }[];
}

/** The names under which records are stored: short, because an import stores up to 100,000. */
const storedNames = {
  row: 'r',
  outcome: 'o',
  reason: 'w',
  contactId: 'id',
  notes: 'n',
  duplicateOf: 'first',
  before: 'b',
  after: 'a',
  groupIds: 'g',
  labelIds: 'l',
  numbers: 'm',
  custom: 'c',
} as const satisfies Record<keyof UndoRecord, string>;
const names = new Map(
  Object.entries(storedNames).map(([name, stored]) => [stored as string, name]),
);

/** Records as the JSON text of `contact_import_chunk.rows`. */
export const packRecords = (records: readonly UndoRecord[]): string =>
  JSON.stringify(
    records.map((record) =>
      Object.fromEntries(
        Object.entries(record).map(([name, value]) => [
          storedNames[name as keyof UndoRecord],
          value as unknown,
        ]),
      ),
    ),
  );
/** The records of `contact_import_chunk.rows`, which only `packRecords` writes. */
export const unpackRecords = (rows: unknown): UndoRecord[] =>
  (rows as Record<string, unknown>[]).map(
    (stored) =>
      Object.fromEntries(
        Object.entries(stored).map(([name, value]) => [names.get(name) ?? name, value]),
      ) as Partial<UndoRecord> as UndoRecord,
  );
