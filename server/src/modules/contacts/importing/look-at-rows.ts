import { entityOf, readValue, valueInWords } from '#contract/field-rules';
import type { ImportOptions } from '#contract/importing';
import type { TxCtx } from '../../../platform/context.ts';
import { fieldMeant, fieldsFor, valuesOf, type FieldRow } from '../../fields/index.ts';
import { judge, type Fate, type Known, type Places, type ReadCustom } from './judge.ts';
import { dayInFile, rowReader, withoutApostrophe, type ReadRow } from './rules.ts';
import { factsOf, type ImportRow } from './store.ts';
import {
  groupsNamed,
  knownBy,
  labelsNamed,
  membershipsOf,
  plainGroups,
  realLabels,
} from './store-people.ts';

/** How one file is read: made once a run. */
export interface Plan {
  options: ImportOptions;
  read: ReturnType<typeof rowReader>;
  fields: readonly FieldRow[];
  always: { groups: readonly number[]; labels: readonly number[] };
}

export async function planOf(
  t: TxCtx,
  row: Pick<ImportRow, 'headers'>,
  mapping: readonly (string | null)[],
  options: ImportOptions,
): Promise<Plan> {
  const fields = await fieldsFor(t, entityOf.contact);
  return {
    options,
    read: rowReader(row.headers as string[], mapping),
    fields,
    always: {
      groups: await plainGroups(t.tx, t.companyId, options.groupIds),
      labels: await realLabels(t.tx, t.companyId, options.labelIds),
    },
  };
}
/** A cell as the field's type takes it. */
const asTyped = (type: FieldRow['type'], cell: string): string =>
  type === 'date'
    ? dayInFile(withoutApostrophe(cell))
    : type === 'phone' || type === 'number'
      ? withoutApostrophe(cell)
      : cell;
export const readCustomBy = (fields: readonly FieldRow[]): ReadCustom => {
  const known = new Map<string, FieldRow | undefined>();
  return (key, cell) => {
    if (!known.has(key)) known.set(key, fieldMeant(fields, key));
    const field = known.get(key);
    if (!field) return { name: key, error: 'There is no such custom field here.' };
    const read = readValue(field, asTyped(field.type, cell));
    return 'error' in read
      ? { name: field.name, ...read }
      : { name: field.name, value: read.value, words: valueInWords(field, read.value) };
  };
};
/** Each name once, as it is written first. */
export const namesIn = (rows: readonly ReadRow[], of: 'groups' | 'labels'): Map<string, string> => {
  const names = new Map<string, string>();
  for (const row of rows)
    for (const name of row[of])
      if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  return names;
};
export const placesOf = async (t: TxCtx, rows: readonly ReadRow[]): Promise<Places> => ({
  groups: await groupsNamed(t.tx, t.companyId, [...namesIn(rows, 'groups').keys()]),
  labels: await labelsNamed(t.tx, t.companyId, [...namesIn(rows, 'labels').keys()]),
});

/** Look up what the rows are about and decide about each. `hold`: the contacts are about to be changed. */
export async function lookAtRows(
  t: TxCtx,
  plan: Plan,
  rows: readonly ReadRow[],
  seen: Map<string, number>,
  more: { places: Places; hold: boolean },
): Promise<Fate[]> {
  const numbers = [...new Set(rows.flatMap((r) => r.number ?? []))];
  const known = await knownBy(t.tx, t.companyId, numbers, more.hold);
  const facts = await factsOf(t.tx, t.companyId, numbers);
  if (plan.options.existing === 'update') await fill(t, plan, rows, known, more.places);
  return judge(rows, {
    options: plan.options,
    always: plan.always,
    known,
    facts,
    places: more.places,
    readCustom: readCustomBy(plan.fields),
    seen,
  });
}

/** Groups, labels and custom values of those who are in the book, as far as the file speaks of them. */
async function fill(
  t: TxCtx,
  plan: Plan,
  rows: readonly ReadRow[],
  known: ReadonlyMap<string, Known>,
  places: Places,
): Promise<void> {
  const byId = new Map([...known.values()].map((k) => [k.id, k]));
  if (!byId.size) return;
  const ids = [...byId.keys()];
  const groups = [...plan.always.groups, ...[...places.groups.values()].filter((g) => g !== null)];
  const found = await membershipsOf(t.tx, t.companyId, ids, groups, [
    ...plan.always.labels,
    ...places.labels.values(),
  ]);
  for (const m of found.groups) byId.get(m.contact_id)?.groups.add(m.place);
  for (const m of found.labels) byId.get(m.contact_id)?.labels.add(m.place);
  if (rows.some((r) => r.custom.size))
    for (const [id, values] of await valuesOf(t, entityOf.contact, ids))
      for (const v of values) if (v.source !== 'default') byId.get(id)?.custom.set(v.key, v.label);
}
