import { contactChanged } from '#contract/contacts/events';
import { crmNames, visibleText, type CrmName } from '#contract/contacts/rules';
import { normalizePhone } from '#contract/phone';
import type { CrmPerson } from '../../../gateways/crm-reader.ts';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { contactsByIds, contactsOfNumbers, lockContact, type ContactRow } from '../store.ts';
import { acquireContactLock } from '../store-many.ts';
import {
  patchAsCrm,
  recordsByExternalIds,
  recordsOfContacts,
  upsertCrmRecord,
  type CrmRecordRow,
} from './store-crm.ts';

/** A connected account of a CRM. */
export interface Crm {
  provider: CrmName;
  connectionId: number;
}
/** A person of a CRM and who that is here. */
export interface CrmMatch {
  contact: ContactRow;
  person: CrmPerson;
}
/** Characters of a name that are kept. */
const LONGEST = 120;

/**
 * Whose contacts these people are: by their records, by `contactOf` (ID of a person there → ID of a
 * contact), then by their numbers. A contact is one record of a CRM. `stale`: IDs of records that
 * contacts were, to be asked for: where they are gone, another one with the number takes their place.
 * @param gone such IDs, of which that is known
 */
export async function matchCrm(
  t: TxCtx,
  { connectionId }: Crm,
  people: readonly CrmPerson[],
  {
    contactOf = new Map(),
    gone = new Set(),
  }: { contactOf?: ReadonlyMap<string, number> | undefined; gone?: ReadonlySet<string> } = {},
): Promise<{ matches: CrmMatch[]; stale: string[] }> {
  const { tx, companyId } = t;
  const numbersOf = ({ phones }: CrmPerson): string[] =>
    phones.flatMap((phone) => normalizePhone(phone) ?? []);
  const byNumber = await contactsOfNumbers(tx, companyId, people.flatMap(numbersOf));
  const externalIds = people.map(({ id }) => id);
  const linked = await recordsByExternalIds(tx, companyId, { connectionId, externalIds });
  const others = await contactsByIds(tx, companyId, [
    ...linked.map((row) => row.contact_id),
    ...contactOf.values(),
  ]);
  const byId = new Map([...byNumber.values(), ...others].map((row) => [row.id, row]));
  const records = new Map(
    (await recordsOfContacts(tx, companyId, { connectionId, contactIds: [...byId.keys()] })).map(
      (row) => [row.contact_id, row.external_id],
    ),
  );
  const stale = new Set<string>();
  const matches = new Map<number, CrmMatch>();
  for (const person of people) {
    const ids = new Set([
      ...linked.flatMap((row) => (row.external_id === person.id ? row.contact_id : [])),
      ...[contactOf.get(person.id)].flatMap((id) => id ?? []),
      ...numbersOf(person).flatMap((number) => byNumber.get(number)?.id ?? []),
    ]);
    for (const id of ids) {
      const contact = byId.get(id);
      const record = records.get(id);
      if (!contact) continue;
      if (record === person.id || (record === undefined && !matches.has(id)))
        matches.set(id, { contact, person });
      else if (record !== undefined && gone.has(record) && !matches.has(id))
        matches.set(id, { contact, person });
      else if (record !== undefined && !externalIds.includes(record)) stale.add(record);
    }
  }
  return { matches: [...matches.values()], stale: [...stale].filter((id) => !gone.has(id)) };
}

/**
 * Fills names that are empty, or that a CRM wrote before and no one changed since, and stores who owns
 * the record. What is the same is neither written nor published. Returns those that are still there.
 * @param fillNames whether names are written
 * @param callerNames what networks called the person, by their number: repeated by a CRM it is no name
 */
export async function fillFromCrm(
  t: TxCtx,
  crm: Crm,
  matches: readonly CrmMatch[],
  {
    fillNames,
    callerNames,
  }: { fillNames: boolean; callerNames: ReadonlyMap<string, ReadonlySet<string>> },
): Promise<CrmMatch[]> {
  const { tx, companyId } = t;
  await acquireContactLock(tx, companyId);
  const { connectionId } = crm;
  const contactIds = matches.map(({ contact }) => contact.id);
  const records = new Map(
    (await recordsOfContacts(tx, companyId, { connectionId, contactIds })).map((row) => [
      row.contact_id,
      row,
    ]),
  );
  const filled: CrmMatch[] = [];
  for (const { contact, person } of matches.toSorted((a, b) => a.contact.id - b.contact.id)) {
    // A person's change that is being made is waited for, and stays.
    const before = await lockContact(tx, companyId, contact.id);
    if (!before) continue;
    const patch = fillNames ? patchOf(before, person, callerNames.get(before.number)) : {};
    const isOwnerNew = await noteRecord(
      t,
      crm,
      { contact: before, person },
      records.get(before.id),
    );
    const fields = Object.keys(patch);
    const { provider } = crm;
    const after =
      fields.length === 0
        ? before
        : await patchAsCrm(tx, companyId, { id: before.id, provider }, patch, t.clock());
    if (fields.length > 0)
      await audit(t, 'contact.named_by_crm', `contact:${before.id}`, {
        // No names, which are erased with the contact.
        after: { fields, from: provider },
      });
    if (fields.length > 0 || isOwnerNew)
      await t.publish(contactChanged, {
        contactId: after.id,
        name: after.name,
        number: after.number,
        added: false,
        changed: [...fields, ...(isOwnerNew ? ['crmOwner'] : [])],
      });
    filled.push({ contact: after, person });
  }
  return filled;
}

/** Whether a CRM can write a name: it is empty, or a CRM's that no one changed since. */
const isOpen = (name: string, from: string | null): boolean =>
  from === null ? name === '' : (crmNames as readonly string[]).includes(from);

function patchOf(
  contact: ContactRow,
  person: CrmPerson,
  callerNames: ReadonlySet<string> = new Set(),
): { name?: string; company_name?: string } {
  const [name, company] = [person.name, person.companyName].map((text) =>
    visibleText(text).slice(0, LONGEST),
  ) as [string, string];
  const isName = name !== '' && !callerNames.has(name.toLowerCase());
  return {
    ...(isName && name !== contact.name && isOpen(contact.name, contact.name_from) && { name }),
    ...(company !== '' &&
      company !== contact.company_name &&
      isOpen(contact.company_name, contact.company_name_from) && { company_name: company }),
  };
}

/** Stores which record the contact is; returns whether its owner changed. */
async function noteRecord(
  t: TxCtx,
  { provider, connectionId }: Crm,
  { contact, person }: CrmMatch,
  before: CrmRecordRow | undefined,
): Promise<boolean> {
  const owner = person.owner?.name ?? '';
  const isOwnerNew = owner !== (before?.owner_name ?? '');
  if (isOwnerNew || before?.external_id !== person.id)
    await upsertCrmRecord(t.tx, {
      company_id: t.companyId,
      contact_id: contact.id,
      connection_id: connectionId,
      provider,
      external_id: person.id,
      owner_name: owner,
      updated_at: t.clock(),
    });
  return isOwnerNew;
}
