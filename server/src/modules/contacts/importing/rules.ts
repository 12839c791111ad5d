import { visibleText } from '#contract/contacts/rules';
import { skipReasons, type SkipReason } from '#contract/contacts/importing/rules';
import { type RowOutcome } from '#contract/contacts/importing/rules';

/** Columns of a contact that a file can fill with one text. */
export const textColumns = [
  'name',
  'company_name',
  'title',
  'email',
  'address1',
  'address2',
  'city',
  'state',
  'zip',
  'country',
  'notes',
  'gender',
  'age_range',
  'type',
  'optin_type',
  'optin_source',
] as const;
/** Columns of a contact that a file can fill with several texts. */
export const listColumns = ['alternative_names', 'secondary_emails'] as const;
export type TextColumn = (typeof textColumns)[number];
/** A contact's columns as a file fills them; a column that is left out stays as it is. */
export type ContactValues = Partial<Record<TextColumn, string>> &
  Partial<Record<(typeof listColumns)[number], string[]>>;

/** What happened, or would happen, to a row. Numbers are those of rows in the file. */
export interface RowResult {
  row: number;
  outcome: RowOutcome;
  /** Why it was skipped. */
  reason?: SkipReason;
  contactId?: number;
  /** What was left out of the row, in sentences. */
  notes?: readonly string[];
  /** The earlier row with the same number. */
  duplicateOf?: number;
}

/** A sentence on why the row was skipped, or what was left out of it; null: nothing. */
export function problemOf(
  result: Pick<RowResult, 'reason' | 'notes' | 'duplicateOf'>,
): string | null {
  if (result.reason === 'duplicate_in_file' && result.duplicateOf)
    return `This number is already in row ${result.duplicateOf}.`;
  const sentences = [
    ...(result.reason ? [skipReasons[result.reason]] : []),
    ...(result.notes ?? []),
  ];
  return sentences.length ? sentences.join(' ') : null;
}
/**
 * True for rows to correct in the file. A contact kept unchanged on request is none; a duplicate is
 * one, because the file has two rows about one number.
 */
export const isMistake = (result: RowResult): boolean =>
  result.outcome === 'skipped' ? result.reason !== 'exists' : (result.notes?.length ?? 0) > 0;

const plainText = (text: string) => visibleText(text.replace(/\r\n?/g, '\n'));
type Text = string | readonly string[] | null;
/** The same to a reader: line ends and outer spaces, which files don't keep, are ignored. */
export function equalText(a: Text, b: Text): boolean {
  if (typeof a === 'string' || a === null)
    return (typeof b === 'string' || b === null) && plainText(a ?? '') === plainText(b ?? '');
  return (
    typeof b === 'object' &&
    b?.length === a.length &&
    a.every((text, i) => equalText(text, b[i] ?? null))
  );
}
