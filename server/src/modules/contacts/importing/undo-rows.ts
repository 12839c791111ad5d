import { entityOf } from '#contract/fields/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { setManyValues, valuesOf } from '../../fields/index.ts';
import { equalText, type ContactValues } from './rules.ts';
import {
  deleteImportedContacts,
  lockContactsForUndo,
  updateImportedContacts,
  valuesOfRow,
} from './store-contacts.ts';
import { deleteMemberships } from './store-memberships.ts';
import { unlinkNumbers } from '../store-numbers.ts';
import { heldContactIds } from '../store-trash.ts';
import { numbersWithActivity } from './store-number-facts.ts';
import type { UndoRecord } from './undo-record.ts';

/**
 * Contacts deleted, restored to their earlier values, and kept although the import created them.
 */
export interface UndoCounts {
  removed: number;
  restored: number;
  kept: number;
}
type LockedContact = Awaited<ReturnType<typeof lockContactsForUndo>>[number];
/** A record with the contact it changed, which still exists. */
interface ChangedContact {
  record: UndoRecord;
  contact: LockedContact;
}

/**
 * Undoes one step, which was imported at `importedAt`. A value that was changed since stays; so does a
 * created contact that was edited, or whose number called or texted.
 */
export async function undoRows(
  t: TxCtx,
  records: readonly UndoRecord[],
  importedAt: Date,
  by: number | null,
): Promise<UndoCounts> {
  const ids = records.flatMap(({ outcome, contactId }) =>
    outcome === 'created' || outcome === 'updated' ? (contactId ?? []) : [],
  );
  const contactById = new Map(
    (await lockContactsForUndo(t.tx, t.companyId, ids)).map((contact) => [contact.id, contact]),
  );
  const withContact = (record: UndoRecord): ChangedContact[] => {
    const contact = contactById.get(record.contactId ?? 0);
    return contact ? [{ record, contact }] : [];
  };
  const created = records.filter(
    ({ outcome, contactId }) => outcome === 'created' && contactId !== undefined,
  );
  const removed = await removeUntouched(t, created.flatMap(withContact), importedAt, by);
  // Last row first: a contact changed by several rows returns to what it was before the first.
  const changed = records
    .filter(({ outcome }) => outcome === 'updated')
    .reverse()
    .flatMap(withContact);
  await restoreColumns(t, changed);
  await restoreLists(t, changed);
  await restoreNumbers(t, changed);
  await restoreCustomValues(t, changed);
  return {
    removed,
    restored: new Set(changed.map(({ contact }) => contact.id)).size,
    kept: created.length - removed,
  };
}

async function removeUntouched(
  t: TxCtx,
  created: readonly ChangedContact[],
  importedAt: Date,
  by: number | null,
): Promise<number> {
  const active = await numbersWithActivity(
    t.tx,
    t.companyId,
    created.flatMap(({ contact, record }) => [contact.number, ...(record.numbers ?? [])]),
  );
  const untouched = created.filter(
    ({ contact: { number, updated_at }, record }) =>
      ![number, ...(record.numbers ?? [])].some((one) => active.has(one)) &&
      updated_at.getTime() === importedAt.getTime(),
  );
  const ids = untouched.map(({ contact }) => contact.id);
  const held = new Set(await heldContactIds(t.tx, t.companyId, ids));
  return deleteImportedContacts(
    t.tx,
    t.companyId,
    ids.filter((id) => !held.has(id)),
    by,
    t.now,
  );
}

async function restoreColumns(t: TxCtx, changed: readonly ChangedContact[]): Promise<void> {
  const restored = new Map<number, ContactValues & { id: number; unsubscribed_at: null }>();
  for (const { record, contact } of changed) {
    if (!record.after) continue;
    const values = restored.get(contact.id) ?? {
      ...valuesOfRow(contact),
      id: contact.id,
      unsubscribed_at: null,
    };
    const current: Record<string, unknown> = { ...values };
    const before: Record<string, unknown> = { ...record.before };
    for (const [column, after] of Object.entries(record.after))
      if (equalText((current[column] ?? '') as string, after))
        Object.assign(values, { [column]: before[column] ?? '' });
    restored.set(contact.id, values);
  }
  await updateImportedContacts(t.tx, t.companyId, [...restored.values()], t.now);
}

async function restoreLists(t: TxCtx, changed: readonly ChangedContact[]): Promise<void> {
  const memberships = (list: 'groupIds' | 'labelIds') =>
    changed.flatMap(({ record, contact }) =>
      (record[list] ?? []).map((listId) => ({ listId, contactId: contact.id })),
    );
  await deleteMemberships(t.tx, t.companyId, {
    groups: memberships('groupIds'),
    labels: memberships('labelIds'),
  });
}

const restoreNumbers = (t: TxCtx, changed: readonly ChangedContact[]) =>
  unlinkNumbers(
    t.tx,
    t.companyId,
    changed.flatMap(({ record, contact }) =>
      (record.numbers ?? []).map((number) => ({ contactId: contact.id, number })),
    ),
  );

async function restoreCustomValues(t: TxCtx, changed: readonly ChangedContact[]): Promise<void> {
  const withCustom = changed.filter(({ record }) => record.custom?.length);
  if (!withCustom.length) return;
  const current = await valuesOf(
    t,
    entityOf.contact,
    withCustom.map(({ contact }) => contact.id),
  );
  const labelOf = (contactId: number, key: string) =>
    current.get(contactId)?.find((value) => value.key === key)?.label ?? '';
  await setManyValues(
    t,
    entityOf.contact,
    withCustom.map(({ record, contact }) => ({
      entityId: contact.id,
      values: (record.custom ?? [])
        .filter(({ key, after }) => equalText(labelOf(contact.id, key), after))
        .map(({ key, before }) => ({ key, value: before })),
    })),
    { source: 'import' },
  );
}
