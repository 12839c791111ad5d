import { erasing as contract, type Answer } from '#contract';
import { audit } from '../../../platform/audit.ts';
import { createBatch } from '../../../platform/batches.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { eraseJob, ERASURE_KIND } from './job-kinds.ts';
import { personOfContact } from './person-of-contact.ts';
import { stages } from './run-erasure.ts';
import { countErased, isOnCall } from './store.ts';
import { holdOn } from './store-holds.ts';
import { lastErasure, lockContacts } from './store-runs.ts';
import { whatStays } from './what-stays.ts';

/**
 * What erasing the person of a contact would delete, and what it would leave. `not_found`: the
 * contact is gone.
 */
export async function previewErasure(
  t: TxCtx,
  contactId: number,
): Promise<Answer<typeof contract.previewErasure>> {
  const person = await personOfContact(t, contactId);
  if (person.numbers.length === 0) notFound();
  const hold = await holdOn(t.tx, t.companyId, person.numbers);
  return {
    data: {
      numbers: person.numbers,
      hold: hold
        ? { reason: hold.reason, by: hold.held_by_name, at: hold.held_at.toISOString() }
        : null,
      goes: await countErased(t.tx, t.companyId, person),
      stays: whatStays.map(({ what, why }) => ({ what, why })),
    },
  };
}

/**
 * Starts erasing the person of a contact, once at a time. `not_found`, `person.held`,
 * `person.on_call`, `person.erasing`.
 */
export async function startErasure(
  t: TxCtx,
  contactId: number,
): Promise<Answer<typeof contract.erasePerson>> {
  const { contactIds, numbers } = await personOfContact(t, contactId);
  if (numbers.length === 0) notFound();
  await lockContacts(t.tx, t.companyId, contactIds);
  const last = await lastErasure(t.tx, t.companyId, contactIds);
  if (last && !last.finishedAt) fail('person.erasing');
  if (await holdOn(t.tx, t.companyId, numbers)) fail('person.held');
  if (await isOnCall(t.tx, t.companyId, numbers)) fail('person.on_call');
  const total = stages.length;
  const batchId = await createBatch(t, { kind: ERASURE_KIND, input: { contactId }, total });
  await audit(t, 'person.erasure_begun', `contact:${contactId}`, { after: { batchId } });
  await t.publish(contract.erasureProgressed, { contactId, batchId, progress: 0 });
  await t.enqueue(eraseJob, { batchId });
  return { data: { batchId, status: 'queued', total } };
}
