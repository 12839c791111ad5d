import { erasing as contract } from '#contract';
import { contactsChanged } from '#contract/contacts/events';
import { audit } from '../../../platform/audit.ts';
import { advanceBatch, failBatch, presentBatch, readBatch } from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { deleteCallsOf, eraseBytesJob } from '../../calls/index.ts';
import { deleteConversationsOf, deleteNotesOfCalls } from '../../conversations/index.ts';
import { deleteValues } from '../../fields/index.ts';
import type { Person } from './person.ts';
import { personOfContact } from './person-of-contact.ts';
import { ERASURE_KIND } from './job-kinds.ts';
import { deleteContacts, deleteSharedFiles, isOnCall } from './store.ts';
import { rememberErased } from './store-erased.ts';
import { holdOn } from './store-holds.ts';
import { scrubBatches, scrubDeliveries, scrubOtherCalls } from './store-scrub.ts';
import { deleteTraces, deleteVisits } from './store-traces.ts';

/** Why an erasure ends early, and what to do; shown where it was started and on the contact. */
const stopped =
  'A legal hold began, so erasing stopped. What was already deleted is gone. Erase the person again when the hold has ended.';
const broken =
  'Something went wrong. What was already deleted is gone. Erase the person again to delete the rest.';

/** Deletes some of what is a person's. True: there may be more of it. */
type Stage = (t: TxCtx, person: Person) => Promise<boolean>;

/** One after the other; the contact itself, which names the numbers, is the last. */
export const stages: readonly Stage[] = [
  async (t, { numbers }) => {
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
    const { companyId, now: at } = t;
    await rememberErased(t.tx, t.settings.appSecret, { companyId, numbers: person.numbers, at });
    await scrubOtherCalls(t.tx, t.companyId, person.numbers);
    await scrubDeliveries(t.tx, t.companyId);
    await scrubBatches(t.tx, t.companyId, person.numbers);
    await deleteContacts(t.tx, t.companyId, person.contactIds);
    return false;
  },
];

/**
 * Job: erases the person of a contact stage by stage. One that died goes on with its stage: what is
 * gone isn't there twice. A legal hold stops it between two transactions. `attempt.last`: an error
 * now fails it; erasing the person again deletes the rest.
 */
export async function runErasure(
  ctx: Ctx,
  batchId: string,
  attempt: { last: boolean },
): Promise<void> {
  try {
    for (let isDone = false; !isDone;) isDone = await ctx.transaction((t) => step(t, batchId));
  } catch (error) {
    if (!attempt.last) throw error;
    ctx.log.error({ err: error, batchId }, 'erasing a person failed');
    await ctx.transaction((t) => endEarly(t, batchId, broken));
  }
}

async function step(t: TxCtx, batchId: string): Promise<boolean> {
  const batch = await readBatch(t.tx, t.companyId, batchId, ERASURE_KIND);
  const stage = batch && !batch.finishedAt ? stages[batch.processed] : undefined;
  if (!batch || !stage) return true;
  const { contactId } = batch.input;
  const person = await personOfContact(t, contactId);
  if (person.numbers.length && (await holdOn(t.tx, t.companyId, person.numbers))) {
    await endEarly(t, batchId, stopped);
    return true;
  }
  if (batch.processed === 0 && (await isOnCall(t.tx, t.companyId, person.numbers)))
    throw new Error('the person is on a call');
  // Visits are found by the matches of calls and texts, which go with them.
  if (batch.processed === 0) await deleteVisits(t.tx, t.companyId, person);
  if (await stage(t, person)) return false;
  const done = { from: batch.processed, processed: 1 };
  const after = await advanceBatch(t.tx, t.companyId, batchId, done, t.now);
  if (!after) return true;
  const { progress } = presentBatch(after);
  if (!after.finishedAt) {
    await t.publish(contract.erasureProgressed, { contactId, batchId, progress });
    return false;
  }
  await audit(t, 'person.erased', `contact:${contactId}`, { after: { batchId } });
  await t.publish(contactsChanged, { what: 'deleted', count: 1, contactId });
  await t.publish(contract.personErased, { contactId, batchId });
  await t.publish(contract.erasureCompleted, { contactId, batchId, progress, failure: null });
  return true;
}

/** Fails the batch with a sentence for whoever started it. */
async function endEarly(t: TxCtx, batchId: string, failure: string): Promise<void> {
  const failed = await failBatch(t.tx, t.companyId, batchId, failure, t.now);
  if (!failed) return;
  const { contactId } = ERASURE_KIND.input.parse(failed.input);
  const { progress } = presentBatch(failed);
  await audit(t, 'person.erasure_stopped', `contact:${contactId}`, { after: { batchId } });
  await t.publish(contract.erasureCompleted, { contactId, batchId, progress, failure });
}
