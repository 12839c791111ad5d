import { entityOf } from '#contract/fields/rules';
import { contactNumbersLinked } from '#contract/contacts/events';
import { importOptOutsFound } from '#contract/contacts/importing/events';
import type { TxCtx } from '../../../platform/context.ts';
import { setManyValues } from '../../fields/index.ts';
import { insertGroups } from '../groups/store-groups.ts';
import { insertLabels } from '../labels/store-labels.ts';
import type { FileNumbers } from './plan-numbers.ts';
import type { ParsedRow } from './parse-row.ts';
import type { RowPlan } from './plan-row.ts';
import { planRows, distinctNames, loadNameIndex, type ImportPlan } from './plan-rows.ts';
import { updateImportedContacts, insertImportedContacts } from './store-contacts.ts';
import { insertMemberships } from './store-memberships.ts';
import { linkNumbers } from '../store-numbers.ts';
import type { UndoRecord } from './undo-record.ts';

/** Numbers per event; subscribers handle each event in one statement. */
const eventBatchSize = 1000;
const maxAttempts = 5;

/**
 * Writes the rows of one step, in a handful of statements whatever they hold. Returns one record
 * per row. `fileNumbers`: those of the file; the rows' are added. `by`: the user who started the import.
 * Throws when other transactions keep creating and removing the same contacts.
 */
export async function writeImportRows(
  t: TxCtx,
  plan: ImportPlan,
  importId: number,
  rows: readonly ParsedRow[],
  fileNumbers: FileNumbers,
  by: number | null,
): Promise<UndoRecord[]> {
  await createMissingLists(t, rows, by);
  const nameIndex = await loadNameIndex(t, rows);
  const recordByRow = new Map<number, UndoRecord>();
  let remaining = rows;
  // Another transaction may create a contact with the same number in between: those rows are
  // planned again.
  for (let attempt = 0; remaining.length && attempt < maxAttempts; attempt++) {
    const plans = await planRows(t, plan, remaining, fileNumbers, { nameIndex, lock: true });
    const conflicting = await writePlans(t, plan, importId, plans);
    for (const rowPlan of plans)
      if (!conflicting.has(rowPlan.row)) recordByRow.set(rowPlan.row, undoRecordOf(rowPlan));
    remaining = remaining.filter(({ row }) => conflicting.has(row));
    for (const { number } of remaining) if (number) fileNumbers.seen.delete(number);
  }
  if (remaining.length)
    throw new Error('contacts were created and removed faster than they could be read');
  return rows.flatMap(({ row }) => recordByRow.get(row) ?? []);
}

async function createMissingLists(
  t: TxCtx,
  rows: readonly ParsedRow[],
  by: number | null,
): Promise<void> {
  const { groups, labels } = await loadNameIndex(t, rows);
  const missing = (list: 'groups' | 'labels', known: ReadonlyMap<string, unknown>) =>
    [...distinctNames(rows, list)].filter(([key]) => !known.has(key)).map(([, name]) => name);
  await insertGroups(t.tx, t.companyId, missing('groups', groups), by, t.now);
  await insertLabels(t.tx, t.companyId, missing('labels', labels), by, t.now);
}

/** Returns the rows that were not written, because their number got a contact meanwhile. */
async function writePlans(
  t: TxCtx,
  plan: ImportPlan,
  importId: number,
  plans: readonly RowPlan[],
): Promise<Set<number>> {
  const conflicting = await createContacts(t, plans);
  await updateContacts(t, plans);
  const written = plans.filter((rowPlan) => rowPlan.outcome !== 'skipped');
  const memberships = (list: 'groupIds' | 'labelIds') =>
    written.flatMap(({ contactId, [list]: listIds }) =>
      contactId === undefined ? [] : listIds.map((listId) => ({ listId, contactId })),
    );
  await insertMemberships(
    t.tx,
    t.companyId,
    { groups: memberships('groupIds'), labels: memberships('labelIds') },
    t.now,
  );
  await writeOtherNumbers(t, written);
  await writeCustomValues(t, plan, written);
  const optedOut = plans.flatMap(({ optsOut, row, parsed }) =>
    optsOut && parsed.number !== null && !conflicting.has(row) ? [parsed.number] : [],
  );
  for (let from = 0; from < optedOut.length; from += eventBatchSize)
    await t.publish(importOptOutsFound, {
      importId,
      numbers: optedOut.slice(from, from + eventBatchSize),
    });
  return conflicting;
}

/** Creates the new contacts and sets their IDs in the plans. Returns the rows that conflict. */
async function createContacts(t: TxCtx, plans: readonly RowPlan[]): Promise<Set<number>> {
  const created = plans.filter((rowPlan) => rowPlan.outcome === 'created');
  const ids = await insertImportedContacts(
    t.tx,
    t.companyId,
    created.flatMap(({ parsed, after, optsOut, facts }) =>
      parsed.number === null
        ? []
        : [
            {
              ...after,
              number: parsed.number,
              unsubscribed_at: optsOut ? t.now : (facts?.optedOutAt ?? null),
            },
          ],
    ),
    t.now,
  );
  const conflicting = new Set<number>();
  for (const rowPlan of created) {
    const id = ids.get(rowPlan.parsed.number ?? '');
    if (id === undefined) conflicting.add(rowPlan.row);
    else rowPlan.contactId = id;
  }
  return conflicting;
}

async function updateContacts(t: TxCtx, plans: readonly RowPlan[]): Promise<void> {
  const optedOut = new Set(plans.flatMap(({ optsOut, contact }) => (optsOut ? contact?.id : [])));
  const changed = plans.flatMap(({ outcome, contact, after, optsOut }) =>
    outcome === 'updated' && contact && (Object.keys(after).length || optsOut) ? contact : [],
  );
  await updateImportedContacts(
    t.tx,
    t.companyId,
    // Several rows may change one contact; its values hold all their changes.
    [...new Set(changed)].map(({ id, values }) => ({
      ...values,
      id,
      unsubscribed_at: optedOut.has(id) ? t.now : null,
    })),
    t.now,
  );
}

/** Gives contacts their further numbers, and tells the modules that know something of these. */
async function writeOtherNumbers(t: TxCtx, written: readonly RowPlan[]): Promise<void> {
  const rows = written.flatMap(({ contactId, numbers }) =>
    contactId === undefined ? [] : numbers.map((number) => ({ contactId, number })),
  );
  await linkNumbers(t.tx, t.companyId, rows, t.now);
  for (let from = 0; from < rows.length; from += eventBatchSize)
    await t.publish(contactNumbersLinked, { rows: rows.slice(from, from + eventBatchSize) });
}

/**
 * A row whose values are rejected gets a note for each, and none of its custom values is written.
 */
async function writeCustomValues(
  t: TxCtx,
  plan: ImportPlan,
  written: readonly RowPlan[],
): Promise<void> {
  const rows = written.flatMap((rowPlan) =>
    rowPlan.contactId !== undefined && rowPlan.custom.length
      ? [{ entityId: rowPlan.contactId, values: rowPlan.custom, rowPlan }]
      : [],
  );
  if (!rows.length) return;
  const errorsByContact = await setManyValues(
    t,
    entityOf.contact,
    rows.map(({ entityId, values }) => ({
      entityId,
      values: values.map(({ key, value }) => ({ key, value })),
    })),
    { source: 'import' },
  );
  for (const { entityId, rowPlan } of rows) {
    const errors = errorsByContact.get(entityId);
    if (!errors) continue;
    const nameOf = (key: string) => plan.fields.find((field) => field.key === key)?.name ?? key;
    rowPlan.notes = [
      ...(rowPlan.notes ?? []),
      ...Object.entries(errors).map(([key, why]) => `${nameOf(key)} was skipped: ${why}`),
    ];
    rowPlan.custom = [];
  }
}

function undoRecordOf(plan: RowPlan): UndoRecord {
  const { row, outcome, reason, contactId, notes, duplicateOf } = plan;
  return {
    row,
    outcome,
    ...(reason ? { reason } : {}),
    ...(contactId !== undefined ? { contactId } : {}),
    ...(notes?.length ? { notes } : {}),
    ...(duplicateOf ? { duplicateOf } : {}),
    ...(outcome === 'updated' && Object.keys(plan.after).length
      ? { before: plan.before, after: plan.after }
      : {}),
    ...(plan.groupIds.length ? { groupIds: plan.groupIds } : {}),
    ...(plan.labelIds.length ? { labelIds: plan.labelIds } : {}),
    ...(plan.numbers.length ? { numbers: plan.numbers } : {}),
    ...(plan.custom.length
      ? { custom: plan.custom.map(({ key, before, text }) => ({ key, before, after: text })) }
      : {}),
  };
}
