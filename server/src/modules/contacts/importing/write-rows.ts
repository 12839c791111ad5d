import { entityOf } from '#contract/fields/rules';
import { importOptOutsFound } from '#contract/contacts/importing/events';
import type { TxCtx } from '../../../platform/context.ts';
import { setManyValues } from '../../fields/index.ts';
import { planRows, distinctNames, loadNameIndex, type ImportPlan } from './plan-rows.ts';
import type { RowPlan } from './plan-row.ts';
import type { RowResult, ParsedRow, ContactValues } from './rules.ts';
import {
  updateImportedContacts,
  insertMemberships,
  insertImportedContacts,
  insertGroups,
  insertLabels,
} from './store-contacts.ts';

/** What is kept of a row: what became of it, and (b, a, g, l, c) what undo puts back. */
export interface UndoRecord extends RowResult {
  b?: ContactValues;
  a?: ContactValues;
  g?: readonly number[];
  l?: readonly number[];
  c?: readonly { key: string; before: string | null; after: string }[];
}
/** Numbers in one saying; listeners take them in one statement. */
const eventBatchSize = 1000;

/** Write some rows into the book: one transaction, a handful of statements, whatever the rows hold. */
export async function writeImportRows(
  t: TxCtx,
  plan: ImportPlan,
  importId: number,
  rows: readonly ParsedRow[],
  seen: Map<string, number>,
  by: number | null,
): Promise<UndoRecord[]> {
  await insertGroups(
    t.tx,
    t.companyId,
    missingNames(rows, 'groups', (await loadNameIndex(t, rows)).groups),
    by,
    t.now,
  );
  await insertLabels(
    t.tx,
    t.companyId,
    missingNames(rows, 'labels', (await loadNameIndex(t, rows)).labels),
    by,
    t.now,
  );
  const nameIndex = await loadNameIndex(t, rows);
  const recordByRow = new Map<number, UndoRecord>();
  let remaining = rows;
  // Somebody may make a contact of a number between the look and the writing: those rows are looked at again.
  for (let attempt = 0; remaining.length && attempt < 5; attempt++) {
    const plans = await planRows(t, plan, remaining, seen, { places: nameIndex, lock: true });
    const conflicting = await writePlans(t, plan, importId, plans);
    for (const fate of plans)
      if (!conflicting.has(fate.r)) recordByRow.set(fate.r, undoRecordOf(fate));
    remaining = remaining.filter((row) => conflicting.has(row.row));
    for (const row of remaining) if (row.number) seen.delete(row.number);
  }
  if (remaining.length)
    throw new Error('contacts were created and removed faster than they could be read');
  return rows.map((row) => recordByRow.get(row.row)!);
}
const missingNames = (
  rows: readonly ParsedRow[],
  list: 'groups' | 'labels',
  known: ReadonlyMap<string, unknown>,
): string[] =>
  [...distinctNames(rows, list)].filter(([key]) => !known.has(key)).map(([, name]) => name);

/** Answers the rows whose number was taken meanwhile. */
async function writePlans(
  t: TxCtx,
  plan: ImportPlan,
  importId: number,
  plans: readonly RowPlan[],
): Promise<Set<number>> {
  const created = plans.filter((f) => f.o === 'created');
  const unsubscribedAt = (f: RowPlan) => (f.optsOut ? t.now : (f.facts?.optedOutAt ?? null));
  const createdIds = await insertImportedContacts(
    t.tx,
    t.companyId,
    created.map((f) => ({ ...f.after, number: f.row.number!, unsubscribed_at: unsubscribedAt(f) })),
    t.now,
  );
  const conflicting = new Set<number>();
  for (const fate of created) {
    const id = createdIds.get(fate.row.number!);
    if (id) fate.id = id;
    else conflicting.add(fate.r);
  }

  const updated = new Map(
    plans.flatMap((f) =>
      f.o === 'updated' && f.contact && (Object.keys(f.after).length || f.optsOut)
        ? [[f.contact.id, f] as const]
        : [],
    ),
  );
  const optedOutNow = new Set(
    plans.filter((f) => f.optsOut && f.contact).map((f) => f.contact!.id),
  );
  await updateImportedContacts(
    t.tx,
    t.companyId,
    [...updated.values()].map((f) => ({
      ...f.contact!.values,
      id: f.contact!.id,
      unsubscribed_at: optedOutNow.has(f.contact!.id) ? t.now : null,
    })),
    t.now,
  );

  const written = plans.filter((f) => f.id !== undefined && f.o !== 'skipped');
  await insertMemberships(
    t.tx,
    t.companyId,
    written.flatMap((f) => f.joins.map((g) => [g, f.id!] as const)),
    written.flatMap((f) => f.labels.map((l) => [l, f.id!] as const)),
    t.now,
  );
  const withCustom = written.filter((f) => f.custom.length);
  if (withCustom.length) {
    const errorsByContact = await setManyValues(
      t,
      entityOf.contact,
      withCustom.map((f) => ({
        entityId: f.id!,
        values: f.custom.map(({ key, value }) => ({ key, value })),
      })),
      { source: 'import' },
    );
    for (const fate of withCustom) {
      const errors = errorsByContact.get(fate.id!);
      if (errors) {
        fate.n = [
          ...(fate.n ?? []),
          ...Object.entries(errors).map(
            ([key, why]) =>
              `${plan.fields.find((f) => f.key === key)?.name ?? key} was skipped: ${why}`,
          ),
        ];
        fate.custom = [];
      }
    }
  }
  const optedOut = plans.flatMap((f) =>
    f.optsOut && !conflicting.has(f.r) ? [f.row.number!] : [],
  );
  for (let at = 0; at < optedOut.length; at += eventBatchSize)
    await t.publish(importOptOutsFound, {
      importId,
      numbers: optedOut.slice(at, at + eventBatchSize),
    });
  return conflicting;
}

const undoRecordOf = (f: RowPlan): UndoRecord => ({
  r: f.r,
  o: f.o,
  ...(f.w ? { w: f.w } : {}),
  ...(f.id !== undefined ? { id: f.id } : {}),
  ...(f.n?.length ? { n: f.n } : {}),
  ...(f.first ? { first: f.first } : {}),
  ...(f.o === 'updated' && Object.keys(f.after).length ? { b: f.before, a: f.after } : {}),
  ...(f.joins.length ? { g: f.joins } : {}),
  ...(f.labels.length ? { l: f.labels } : {}),
  ...(f.custom.length
    ? { c: f.custom.map(({ key, before, words }) => ({ key, before, after: words })) }
    : {}),
});
