import { columnsFor } from '#contract/contacts/importing/rules';
import { readNumbers } from '../../read-numbers.ts';

/** Further numbers that a contact can have. */
const maxOtherNumbers = 20;

/** The phone numbers of a row. */
interface RowNumbers {
  /** E.164; null: the row has none. */
  number: string | null;
  /** The first filled cell, as typed. */
  rawNumber: string;
  otherNumbers: string[];
  /** A spreadsheet rounded a number. */
  isRounded: boolean;
}

/**
 * Reads the numbers of a row: the first of the columns for the number is its own, all others are
 * further ones. `notes`: gets a sentence for what was left out.
 */
export function readRowNumbers(
  cells: readonly string[],
  columns: { number: readonly number[]; otherNumbers: readonly number[] },
  notes: string[],
): RowNumbers {
  const found = new Set<string>();
  const leftOut: string[] = [];
  let rawNumber = '';
  let isRounded = false;
  for (const column of [...columns.number, ...columns.otherNumbers]) {
    const cell = cells[column];
    if (!cell) continue;
    rawNumber ||= cell;
    const read = readNumbers(cell);
    for (const number of read.numbers) found.add(number);
    leftOut.push(...read.leftOut);
    isRounded ||= read.isRounded;
  }
  const [number = null, ...otherNumbers] = found;
  if (number !== null) {
    for (const part of leftOut)
      notes.push(`Left out because it isn’t a phone number: “${part.slice(0, 60)}”.`);
    if (isRounded) notes.push('A number that a spreadsheet has rounded was left out.');
    if (otherNumbers.length > maxOtherNumbers)
      notes.push(`Only ${maxOtherNumbers} other numbers were taken.`);
  }
  return {
    number,
    rawNumber,
    otherNumbers: otherNumbers.slice(0, maxOtherNumbers),
    isRounded,
  };
}

/** Creates the function that reads only the numbers of each row. */
export function numberReader(
  headers: readonly string[],
  mapping: readonly (string | null)[],
): (cells: readonly string[]) => RowNumbers {
  const columns = {
    number: columnsFor('number', mapping, headers),
    otherNumbers: columnsFor('otherNumbers', mapping, headers),
  };
  return (cells) => readRowNumbers(cells, columns, []);
}
