import { optinNames } from '#contract/contacts/rules';
import {
  exportTargets,
  fieldPrefix,
  fieldTitles,
  listCell,
  moreExportColumns,
} from '#contract/contacts/importing/rules';
import { spacedPhone } from '#contract/phone';
import type { Cell, ExportColumn, ExportFormat } from '../../../platform/export-formats.ts';
import type { FieldRow } from '../../fields/index.ts';
import type { presentContact } from '../present.ts';
import { escapeGuard } from './csv-cells.ts';

type PlainColumn =
  | (typeof exportTargets)[number]['key']
  | (typeof moreExportColumns)[number]['key'];
/** The titles of the columns that aren't custom fields. */
export const titles = new Map<string, string>(
  [...exportTargets, ...moreExportColumns].map((c) => [c.key, c.title]),
);
/** A contact as an export writes it. */
export interface ContactExportRow {
  c: ReturnType<typeof presentContact>;
  groups: string[];
  labels: string[];
  custom: Map<string, string>;
}
const yesNo = (is: boolean) => (is ? 'yes' : 'no');
const cells: Record<PlainColumn, (r: ContactExportRow) => Cell> = {
  name: (r) => r.c.name,
  number: (r) => r.c.number,
  otherNumbers: (r) => listCell(r.c.otherNumbers),
  email: (r) => r.c.email,
  companyName: (r) => r.c.companyName,
  title: (r) => r.c.title,
  address1: (r) => r.c.address1,
  address2: (r) => r.c.address2,
  city: (r) => r.c.city,
  state: (r) => r.c.state,
  zip: (r) => r.c.zip,
  country: (r) => r.c.country,
  notes: (r) => r.c.notes,
  gender: (r) => r.c.gender,
  ageRange: (r) => r.c.ageRange,
  type: (r) => r.c.type,
  optinType: (r) => (r.c.optinType ? optinNames[r.c.optinType] : null),
  optinSource: (r) => r.c.optinSource,
  alternativeNames: (r) => listCell(r.c.alternativeNames),
  secondaryEmails: (r) => listCell(r.c.secondaryEmails),
  groups: (r) => listCell(r.groups),
  labels: (r) => listCell(r.labels),
  unsubscribed: (r) => yesNo(r.c.unsubscribed),
  source: (r) => r.c.source,
  carrier: (r) => r.c.carrier,
  invalid: (r) => yesNo(r.c.invalid),
  addedAt: (r) => new Date(r.c.addedAt),
  updatedAt: (r) => new Date(r.c.updatedAt),
  id: (r) => r.c.id,
};
/** The columns of an export. */
export function columnsOf(
  input: { columns: readonly string[]; format: ExportFormat },
  fields: readonly FieldRow[],
): ExportColumn<ContactExportRow>[] {
  const titleByKey = fieldTitles(fields);
  const isCsv = input.format === 'csv';
  const escaped = (value: Cell): Cell =>
    isCsv && typeof value === 'string' ? escapeGuard(value) : value;
  // Masked numbers stay as they are.
  const spaced = (value: Cell): Cell =>
    isCsv && typeof value === 'string'
      ? escaped(value.replace(/\+\d{5,15}\b/g, spacedPhone))
      : value;
  return input.columns.flatMap((key): ExportColumn<ContactExportRow>[] => {
    if (!key.startsWith(fieldPrefix)) {
      const cell = cells[key as PlainColumn];
      const write = key === 'number' || key === 'otherNumbers' ? spaced : escaped;
      return [{ key, title: titles.get(key) ?? key, cell: (r) => write(cell(r)) }];
    }
    const field = key.slice(fieldPrefix.length);
    const found = fields.find((f) => f.key === field);
    const write = found?.type === 'phone' ? spaced : escaped;
    return found
      ? [
          {
            key,
            title: titleByKey.get(field) ?? field,
            cell: (r) => write(r.custom.get(field) ?? ''),
          },
        ]
      : [];
  });
}
