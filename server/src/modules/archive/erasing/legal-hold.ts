import { erasing as contract, type Answer } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { personOfContact } from './person-of-contact.ts';
import { deleteHolds, insertHolds } from './store-holds.ts';

/** Holds all of a person's numbers; a new reason replaces the one before. `not_found`: no such contact. */
export async function holdPerson(
  t: TxCtx,
  contactId: number,
  reason: string,
): Promise<Answer<typeof contract.holdPerson>> {
  const { numbers } = await personOfContact(t, contactId);
  if (!numbers.length) return notFound();
  const [userId, name] = [t.actor.userId || null, t.actor.name];
  await insertHolds(t.tx, t.companyId, numbers, { reason, userId, name, at: t.now });
  await audit(t, 'legal_hold.begun', `contact:${contactId}`, { after: { reason } });
  await t.publish(contract.legalHoldChanged, { contactId });
  return { data: { reason, by: name, at: t.now.toISOString() } };
}

/** Ends the hold on a person. `not_found`: there is none. */
export async function endLegalHold(t: TxCtx, contactId: number): Promise<void> {
  const { numbers } = await personOfContact(t, contactId);
  const reason = await deleteHolds(t.tx, t.companyId, numbers);
  if (reason === null) return notFound();
  await audit(t, 'legal_hold.ended', `contact:${contactId}`, { before: { reason } });
  await t.publish(contract.legalHoldChanged, { contactId });
}
