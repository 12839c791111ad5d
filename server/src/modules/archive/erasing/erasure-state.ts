import { erasing as contract, type Answer } from '#contract';
import { presentBatch, readBatch, type Batch } from '../../../platform/batches.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { ERASURE_KIND } from './job-kinds.ts';
import { personOfContact } from './person-of-contact.ts';
import { holdOn } from './store-holds.ts';
import { lastErasure } from './store-runs.ts';

/** Why an erasure ended early, and what to do; null: it goes on, or the person is gone. */
const failureOf = ({ errors }: Pick<Batch, 'errors'>): string | null =>
  errors.find((error) => error.row === 0)?.message ?? null;

/**
 * Whether the person of a contact is held or being erased, for everyone who sees the contact; the
 * reason of a hold is for people who can erase. `not_found`: the contact is gone.
 */
export async function getErasureState(
  t: TxCtx,
  contactId: number,
): Promise<Answer<typeof contract.getErasureState>> {
  const { contactIds, numbers } = await personOfContact(t, contactId);
  if (numbers.length === 0) notFound();
  const hold = await holdOn(t.tx, t.companyId, numbers);
  const run = await lastErasure(t.tx, t.companyId, contactIds);
  const isOpen = run && (!run.finishedAt || failureOf(run) !== null);
  return {
    data: {
      hold: hold
        ? {
            reason: t.may('person.erase') === 'none' ? null : hold.reason,
            by: hold.held_by_name,
            at: hold.held_at.toISOString(),
          }
        : null,
      erasure: isOpen
        ? {
            batchId: run.id,
            progress: Math.floor((run.processed / run.total) * 100),
            failure: failureOf(run),
          }
        : null,
    },
  };
}

/** How far an erasure is. `not_found`: none of this ID. */
export async function erasureProgress(
  t: TxCtx,
  batchId: string,
): Promise<Answer<typeof contract.erasureProgress>> {
  const run = (await readBatch(t.tx, t.companyId, batchId, ERASURE_KIND)) ?? notFound();
  const { id, progress, finishedAt } = presentBatch(run);
  return { data: { id, progress, finishedAt, failure: failureOf(run) } };
}
