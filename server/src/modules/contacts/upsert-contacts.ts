import { contactNumbersLinked } from '#contract/contacts/events';
import type { contactSources } from '#contract/contacts/rules';
import type { TxCtx } from '../../platform/context.ts';
import { setManyValues, type ValueInput } from '../fields/index.ts';
import { addLabels, addToGroups } from './assign-lists.ts';
import { contactsOfNumbers, type ContactRow } from './store.ts';
import {
  insertManyContacts,
  acquireContactLock,
  updateManyContacts,
  writableColumns,
  type ContactColumns,
} from './store-many.ts';

/** A row to write: the number in E.164, and what is said of it in the table's words; what is left out stays as it is. */
export interface UpsertRow {
  number: string;
  details: Partial<ContactColumns>;
  groups?: readonly number[];
  labels?: readonly number[];
  values?: readonly ValueInput[];
}
export interface UpsertResult {
  number: string;
  id: number;
  outcome: 'created' | 'updated' | 'unchanged';
  /** What the changed columns held before; null for one that was made. */
  before: Partial<ContactColumns> | null;
  /** Custom values that were refused, by the field's key; nothing of them was stored. */
  errors: Record<string, string>;
}
const emptyColumns: ContactColumns = {
  name: '',
  company_name: '',
  title: '',
  email: '',
  address1: '',
  address2: '',
  city: '',
  state: '',
  zip: '',
  country: '',
  notes: '',
  optin_type: null,
  optin_source: '',
  alternative_names: [],
  secondary_emails: [],
  gender: null,
  age_range: null,
  type: 'Person',
  carrier: null,
};

/**
 * Write up to some thousand contacts in a handful of statements: a number that has a contact changes it, any other makes one.
 * Numbers are unique among the rows. Nothing here touches opt-outs: they are kept by number, and a new contact of such a number
 * learns of it (`contacts.have`). The caller says `contacts.changed` once for all.
 */
export async function upsertContacts(
  ctx: TxCtx,
  rows: readonly UpsertRow[],
  source: (typeof contactSources)[number],
): Promise<UpsertResult[]> {
  if (!rows.length) return [];
  await acquireContactLock(ctx.tx, ctx.companyId);
  let known = await contactsOfNumbers(
    ctx.tx,
    ctx.companyId,
    rows.map((r) => r.number),
  );
  const created = await insertManyContacts(
    ctx.tx,
    ctx.companyId,
    rows
      .filter((r) => !known.has(r.number))
      .map((r) => ({ ...emptyColumns, ...r.details, number: r.number })),
    source,
    ctx.now,
  );
  const madeId = new Map(created.map((m) => [m.number, m.id]));
  const createdElsewhere = rows.filter((r) => !known.has(r.number) && !madeId.has(r.number));
  if (createdElsewhere.length)
    known = new Map([
      ...known,
      ...(await contactsOfNumbers(
        ctx.tx,
        ctx.companyId,
        createdElsewhere.map((r) => r.number),
      )),
    ]);

  const results: UpsertResult[] = [];
  const changes: (ContactColumns & { id: number })[] = [];
  for (const row of rows) {
    const id = madeId.get(row.number);
    if (id !== undefined) {
      results.push({ number: row.number, id, outcome: 'created', before: null, errors: {} });
      continue;
    }
    const existing = known.get(row.number)!;
    const before = previousValues(existing, row.details);
    if (Object.keys(before).length)
      changes.push({ ...columnsOfRow(existing), ...row.details, id: existing.id });
    results.push({
      number: row.number,
      id: existing.id,
      outcome: Object.keys(before).length ? 'updated' : 'unchanged',
      before,
      errors: {},
    });
  }
  await updateManyContacts(ctx.tx, ctx.companyId, changes, ctx.now);
  if (created.length)
    await ctx.publish(contactNumbersLinked, {
      rows: created.map((m) => ({ contactId: m.id, number: m.number })),
    });

  await addToGroups(
    ctx,
    rows.flatMap((r, i) =>
      (r.groups ?? []).map((groupId) => ({ contactId: results[i]!.id, groupId })),
    ),
  );
  await addLabels(
    ctx,
    rows.flatMap((r, i) =>
      (r.labels ?? []).map((labelId) => ({ contactId: results[i]!.id, labelId })),
    ),
  );
  const values = rows.flatMap((r, i) =>
    r.values?.length ? [{ entityId: results[i]!.id, values: r.values }] : [],
  );
  if (values.length) {
    const errorsByContact = await setManyValues(ctx, 7, values, {
      source: source === 'Import' ? 'import' : 'api',
    });
    for (const r of results) Object.assign(r.errors, errorsByContact.get(r.id) ?? {});
  }
  return results;
}

const columnsOfRow = (row: ContactRow): ContactColumns =>
  Object.fromEntries(writableColumns.map((w) => [w, row[w]])) as unknown as ContactColumns;
/** The old values of what would change. */
function previousValues(
  existing: ContactRow,
  details: Partial<ContactColumns>,
): Partial<ContactColumns> {
  return Object.fromEntries(
    writableColumns
      .filter(
        (w) =>
          details[w] !== undefined && JSON.stringify(details[w]) !== JSON.stringify(existing[w]),
      )
      .map((w) => [w, existing[w]]),
  ) as Partial<ContactColumns>;
}
