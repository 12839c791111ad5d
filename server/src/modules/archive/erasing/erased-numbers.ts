import type { TxCtx } from '../../../platform/context.ts';
import { personOfContact } from './person-of-contact.ts';
import type { Person } from './person.ts';
import { stages } from './run-erasure.ts';
import { contactsOfNumber, erasedNumbersIn } from './store-erased.ts';
import { deleteVisits } from './store-traces.ts';

/**
 * Erases again, in the import's transaction, whoever was erased here after an archive was written.
 * Returns how many of their numbers were in it. A number in a legal hold that came along goes, too:
 * it was erased before.
 */
export async function eraseAgain(t: TxCtx, writtenAt: Date): Promise<number> {
  const { appSecrets } = t.settings;
  const numbers = await erasedNumbersIn(t.tx, appSecrets, t.companyId, writtenAt);
  for (const number of numbers) {
    const [contactId] = await contactsOfNumber(t.tx, t.companyId, number);
    const person: Person =
      contactId === undefined
        ? { contactIds: [], numbers: [number] }
        : await personOfContact(t, contactId);
    // Somebody else may share a contact's other numbers by now: only what was erased goes.
    const theirs = { ...person, numbers: person.numbers.filter((one) => numbers.includes(one)) };
    await deleteVisits(t.tx, t.companyId, theirs);
    for (const stage of stages) while (await stage(t, theirs));
  }
  return numbers.length;
}
