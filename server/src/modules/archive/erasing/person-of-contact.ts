import type { TxCtx } from '../../../platform/context.ts';
import type { Person } from './person.ts';
import { formerContacts, numbersOfContacts } from './store.ts';

/** The person of a contact; no numbers: the contact is gone. */
export async function personOfContact(t: TxCtx, contactId: number): Promise<Person> {
  const numbers = await numbersOfContacts(t.tx, t.companyId, [contactId]);
  const contactIds = await formerContacts(t.tx, t.companyId, contactId, numbers);
  return { contactIds, numbers: await numbersOfContacts(t.tx, t.companyId, contactIds) };
}
