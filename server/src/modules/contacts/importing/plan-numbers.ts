import { formatPhone } from '#contract/phone';
import type { ParsedRow } from './parse-row.ts';

/** Whose the numbers of a file are. */
export interface FileNumbers {
  /** Rows by their own number, of all rows so far: a later one with the same is a duplicate. */
  seen: Map<string, number>;
  /** The own numbers of all rows of the file, which are never a further number of another. */
  own: ReadonlySet<string>;
  /** Rows by the further numbers that their contacts got so far. */
  further: Map<string, number>;
}

type Holder = { id: number };
type FieldChange = { field: string; before: string; after: string };

/**
 * The further numbers that a row's contact gets. Those of other contacts or rows are left out, each
 * with a sentence; `changes`: of a contact that exists. `contact`: the row's; null: it is new.
 */
export function planOtherNumbers(
  parsed: ParsedRow,
  contact: Holder | null,
  holders: ReadonlyMap<string, Holder>,
  { own, further }: FileNumbers,
): { numbers: string[]; notes: string[]; changes: FieldChange[] } {
  const numbers: string[] = [];
  const notes: string[] = [];
  for (const number of parsed.otherNumbers) {
    const holder = holders.get(number);
    const row = further.get(number);
    if (holder && holder.id === contact?.id) continue;
    if (holder || own.has(number))
      notes.push(`${formatPhone(number)} was left out: it belongs to another contact.`);
    else if (row !== undefined && row !== parsed.row)
      notes.push(`${formatPhone(number)} was left out: row ${row} has it, too.`);
    else {
      further.set(number, parsed.row);
      numbers.push(number);
    }
  }
  const after = numbers.map((number) => formatPhone(number)).join(', ');
  const changes = contact && after ? [{ field: 'otherNumbers', before: '', after }] : [];
  return { numbers, notes, changes };
}
