import { billingContacts as contract, normalizePhone, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail, invalid, notFound } from '../../../platform/errors.ts';
import { lockedSubscription } from '../store-subscription.ts';
import {
  contactsOf,
  insertContact,
  isEmailTaken,
  lockedContact,
  patchContact,
  removeContact,
  type BillingContactRow,
} from './store-contacts.ts';

type Contact = Answer<typeof contract.createBillingContact>['data'];
type Change = Body<typeof contract.updateBillingContact>;

/** More would be a mailing list. */
const mostContacts = 20;

const present = (row: BillingContactRow): Contact => ({
  id: row.id,
  firstName: row.first_name,
  lastName: row.last_name,
  fullName: `${row.first_name} ${row.last_name}`.trim(),
  email: row.email,
  phone: row.phone,
  emailNotifications: row.email_notifications,
  smsNotifications: row.sms_notifications,
  updatedAt: new Date(row.updated_at).toISOString(),
});

/** Who hears of invoices and payments. */
export const listBillingContacts = async (
  t: TxCtx,
): Promise<Answer<typeof contract.listBillingContacts>> => ({
  data: (await contactsOf(t.tx, t.companyId)).map(present),
});

/** What a contact is after a change. Fails at `smsNotifications` where there is no phone to text. */
function changed(row: BillingContactRow | null, change: Change) {
  const phone =
    change.phone === undefined ? (row?.phone ?? null) : normalizePhone(change.phone ?? '');
  const wantsTexts = change.smsNotifications ?? row?.sms_notifications ?? false;
  if (wantsTexts && !phone)
    invalid({ smsNotifications: 'Enter a phone number to get text messages.' });
  return {
    first_name: change.firstName ?? row?.first_name ?? '',
    last_name: change.lastName ?? row?.last_name ?? '',
    email: change.email ?? row?.email ?? '',
    phone,
    email_notifications: change.emailNotifications ?? row?.email_notifications ?? true,
    sms_notifications: wantsTexts,
  };
}

/** One after the other in a company, so that no address comes in twice. */
const oneAtATime = (t: TxCtx) =>
  lockedSubscription(t.tx, t.companyId, { now: t.now, provider: t.settings.billing });

/** Fails with `billing_contact.taken` or `billing_contact.most`. */
export async function createBillingContact(
  t: TxCtx,
  body: Body<typeof contract.createBillingContact>,
): Promise<Answer<typeof contract.createBillingContact>> {
  const details = changed(null, body);
  await oneAtATime(t);
  if (await isEmailTaken(t.tx, t.companyId, details.email, null)) fail('billing_contact.taken');
  if ((await contactsOf(t.tx, t.companyId)).length >= mostContacts)
    fail('billing_contact.most', { n: mostContacts });
  const row = await insertContact(t.tx, t.companyId, details, t.now);
  await audit(t, 'billing_contact.created', `billing_contact:${row.id}`, { after: details });
  await t.publish(contract.billingContactsChanged, { companyId: t.companyId });
  return { data: present(row) };
}

/** Fails with `billing_contact.taken`, or 404. */
export async function updateBillingContact(
  t: TxCtx,
  id: number,
  body: Change,
): Promise<Answer<typeof contract.updateBillingContact>> {
  await oneAtATime(t);
  const before = (await lockedContact(t.tx, t.companyId, id)) ?? notFound();
  const details = changed(before, body);
  if (await isEmailTaken(t.tx, t.companyId, details.email, id)) fail('billing_contact.taken');
  const row = await patchContact(t.tx, before, details, t.now);
  await audit(t, 'billing_contact.updated', `billing_contact:${id}`, {
    before: changed(before, {}),
    after: details,
  });
  await t.publish(contract.billingContactsChanged, { companyId: t.companyId });
  return { data: present(row) };
}

/** Removes a billing contact; 404: there is none of this ID. */
export async function deleteBillingContact(t: TxCtx, id: number): Promise<void> {
  const row = (await lockedContact(t.tx, t.companyId, id)) ?? notFound();
  await removeContact(t.tx, row);
  await audit(t, 'billing_contact.deleted', `billing_contact:${id}`, {
    before: changed(row, {}),
  });
  await t.publish(contract.billingContactsChanged, { companyId: t.companyId });
}

/** An individual is the only one who is told of their account's payments: by email, else by text. */
export async function setOnlyContact(
  t: { tx: Tx; companyId: number; now: Date },
  { email, phone }: { email: string | null; phone: string | null },
): Promise<void> {
  for (const row of await contactsOf(t.tx, t.companyId)) await removeContact(t.tx, row);
  const details = {
    ...{ first_name: '', last_name: '', email: email ?? '', phone },
    ...{ email_notifications: email !== null, sms_notifications: email === null && phone !== null },
  };
  await insertContact(t.tx, t.companyId, details, t.now);
}
