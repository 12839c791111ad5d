import { contactsHave, type contactSources } from '#contract/contacts';
import type { TxCtx } from '../../platform/context.ts';
import { setManyValues, type SaidValue } from '../fields/index.ts';
import { addLabels, addToGroups } from './sort-into.ts';
import { contactsOfNumbers, type ContactRow } from './store.ts';
import { insertMany, takeTurn, updateMany, written, type Written } from './store-many.ts';

/** A row to write: the number in E.164, and what is said of it in the table's words; what is left out stays as it is. */
export interface UpsertRow {
  number: string;
  details: Partial<Written>;
  groups?: readonly number[];
  labels?: readonly number[];
  values?: readonly SaidValue[];
}
export interface Upserted {
  number: string;
  id: number;
  outcome: 'created' | 'updated' | 'unchanged';
  /** What the changed columns held before; null for one that was made. */
  before: Partial<Written> | null;
  /** Custom values that were refused, by the field's key; nothing of them was stored. */
  errors: Record<string, string>;
}
const blank: Written = {
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
): Promise<Upserted[]> {
  if (!rows.length) return [];
  await takeTurn(ctx.tx, ctx.companyId);
  let known = await contactsOfNumbers(
    ctx.tx,
    ctx.companyId,
    rows.map((r) => r.number),
  );
  const made = await insertMany(
    ctx.tx,
    ctx.companyId,
    rows
      .filter((r) => !known.has(r.number))
      .map((r) => ({ ...blank, ...r.details, number: r.number })),
    source,
    ctx.now,
  );
  const madeId = new Map(made.map((m) => [m.number, m.id]));
  const late = rows.filter((r) => !known.has(r.number) && !madeId.has(r.number));
  if (late.length)
    known = new Map([
      ...known,
      ...(await contactsOfNumbers(
        ctx.tx,
        ctx.companyId,
        late.map((r) => r.number),
      )),
    ]);

  const results: Upserted[] = [];
  const changes: (Written & { id: number })[] = [];
  for (const row of rows) {
    const id = madeId.get(row.number);
    if (id !== undefined) {
      results.push({ number: row.number, id, outcome: 'created', before: null, errors: {} });
      continue;
    }
    const was = known.get(row.number)!;
    const before = differing(was, row.details);
    if (Object.keys(before).length) changes.push({ ...pick(was), ...row.details, id: was.id });
    results.push({
      number: row.number,
      id: was.id,
      outcome: Object.keys(before).length ? 'updated' : 'unchanged',
      before,
      errors: {},
    });
  }
  await updateMany(ctx.tx, ctx.companyId, changes, ctx.now);
  if (made.length)
    await ctx.say(contactsHave, { rows: made.map((m) => ({ contactId: m.id, number: m.number })) });

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
    const wrong = await setManyValues(ctx, 7, values, {
      source: source === 'Import' ? 'import' : 'api',
    });
    for (const r of results) Object.assign(r.errors, wrong.get(r.id) ?? {});
  }
  return results;
}

const pick = (row: ContactRow): Written =>
  Object.fromEntries(written.map((w) => [w, row[w]])) as unknown as Written;
/** The old values of what would change. */
function differing(was: ContactRow, details: Partial<Written>): Partial<Written> {
  return Object.fromEntries(
    written
      .filter(
        (w) => details[w] !== undefined && JSON.stringify(details[w]) !== JSON.stringify(was[w]),
      )
      .map((w) => [w, was[w]]),
  ) as Partial<Written>;
}
