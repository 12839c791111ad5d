import { z } from 'zod';
import { erasing as contract } from '#contract';
import { contactsChanged } from '#contract/contacts/events';
import { audit } from '../../../platform/audit.ts';
import { advanceBatch, failBatch, readBatch } from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { deleteCallsOf, eraseBytesJob } from '../../calls/index.ts';
import { deleteConversationsOf, deleteNotesOfCalls } from '../../conversations/index.ts';
import { deleteValues } from '../../fields/index.ts';
import type { Person } from './person.ts';
import { personOfContact } from './person-of-contact.ts';
import { deleteContacts, deleteSharedFiles, isOnCall } from './store.ts';
import { holdOn } from './store-holds.ts';
import { deleteTraces, deleteVisits } from './store-traces.ts';

export const ERASURE_KIND = 'erase-person';

/** Deletes some of what is a person's. True: there may be more of it. */
type Stage = (t: TxCtx, person: Person) => Promise<boolean>;

/** One after the other; the contact itself, which names the numbers, is the last. */
export const stages: readonly Stage[] = [
  async (t, { numbers }) => {
    if (await isOnCall(t.tx, t.companyId, numbers)) throw new Error('the person is on a call');
    const { callIds, isMore } = await deleteCallsOf(t, numbers);
    if (callIds.length) await deleteNotesOfCalls(t.tx, t.companyId, callIds);
    return isMore;
  },
  (t, { numbers }) => deleteConversationsOf(t, numbers),
  async (t, { contactIds }) => {
    for (const key of await deleteSharedFiles(t.tx, t.companyId, t.now))
      await t.enqueue(eraseBytesJob, { key });
    await deleteValues(t, 7, contactIds);
    return false;
  },
  async (t, person) => {
    await deleteTraces(t.tx, t.companyId, person);
    await deleteContacts(t.tx, t.companyId, person.contactIds);
    return false;
  },
];

const input = z.object({ contactId: z.number() });

/**
 * Job: erases the person of a contact stage by stage. One that died goes on with its stage: what is
 * gone isn't there twice. A legal hold stops it between two transactions.
 */
export async function runErasure(ctx: Ctx, batchId: string): Promise<void> {
  for (let isDone = false; !isDone;) isDone = await ctx.transaction((t) => step(t, batchId));
}

async function step(t: TxCtx, batchId: string): Promise<boolean> {
  const batch = await readBatch(t.tx, t.companyId, batchId, ERASURE_KIND);
  const stage = batch && !batch.finishedAt ? stages[batch.processed] : undefined;
  if (!batch || !stage) return true;
  const { contactId } = input.parse(batch.input);
  const person = await personOfContact(t, contactId);
  if (person.numbers.length && (await holdOn(t.tx, t.companyId, person.numbers))) {
    await failBatch(t.tx, t.companyId, batchId, 'A legal hold began.', t.now);
    await audit(t, 'person.erasure_stopped', `contact:${contactId}`, { after: { batchId } });
    return true;
  }
  const isLast = batch.processed === stages.length - 1;
  // Visits are found by the matches of calls and texts, which go with them.
  if (batch.processed === 0) await deleteVisits(t.tx, t.companyId, person);
  if (await stage(t, person)) return false;
  const done = { from: batch.processed, processed: 1 };
  await advanceBatch(t.tx, t.companyId, batchId, done, t.now);
  if (!isLast) return false;
  await audit(t, 'person.erased', `contact:${contactId}`, { after: { batchId } });
  await t.publish(contactsChanged, { what: 'deleted', count: 1, contactId });
  await t.publish(contract.personErased, { contactId, batchId });
  return true;
}
