import { numbers as contract } from '#contract';
import { audit } from '../../platform/audit.ts';
import type { TxCtx } from '../../platform/context.ts';
import { updateNumberRow, type NumberView } from './store.ts';
import { recordNumberEvent } from './timeline/record-event.ts';
import { releaseJob } from './job-kinds.ts';

interface Replacement {
  id: number;
  number: string;
}

/** Releases the old number in 30 days and forwards its callers to the new one until then. */
export async function forwardToNewNumber(
  t: TxCtx,
  old: NumberView,
  replacement: Replacement,
): Promise<void> {
  const until = new Date(t.now.getTime() + contract.forwardDays * 86_400_000);
  await updateNumberRow(t.tx, t.companyId, old.id, {
    status: 'releasing',
    status_before: old.status,
    releasing_at: t.now,
    returns_at: until,
    release_reason: `exchanged for ${replacement.number}`,
    rotated_to: replacement.id,
    forward_until: until,
    dni_pool_id: null,
    updated_at: t.now,
  });
  await recordRotation(t, old, replacement, until);
  await publishRotation(t, old, replacement, until);
  await t.enqueue(
    releaseJob,
    { numberId: old.id },
    { runAt: until, key: `numbers.release:${t.companyId}:${old.id}` },
  );
}

/** Adds the rotation to the audit log and to the timelines of both numbers. */
async function recordRotation(
  t: TxCtx,
  old: NumberView,
  replacement: Replacement,
  until: Date,
): Promise<void> {
  await audit(t, 'number.rotated', `number:${old.id}`, {
    before: { number: old.number },
    after: { number: replacement.number, numberId: replacement.id },
  });
  await recordNumberEvent(t, old.id, {
    type: 'rotated',
    summary: `Exchanged for ${replacement.number}; callers reach it until ${until.toISOString().slice(0, 10)}`,
    before: { number: old.number },
    after: { number: replacement.number, number_id: replacement.id },
  });
  await recordNumberEvent(t, replacement.id, {
    type: 'rotated',
    summary: `Replaced ${old.number}`,
    before: { number: old.number, number_id: old.id },
    after: { number: replacement.number },
  });
}

async function publishRotation(
  t: TxCtx,
  old: NumberView,
  replacement: Replacement,
  until: Date,
): Promise<void> {
  await t.publish(
    contract.numberRotated,
    {
      companyId: t.companyId,
      numberId: old.id,
      number: old.number,
      newNumberId: replacement.id,
      newNumber: replacement.number,
      forwardUntil: until.toISOString(),
    },
    { numberId: old.id },
  );
  await t.publish(
    contract.numberReleasing,
    {
      companyId: t.companyId,
      numberId: old.id,
      number: old.number,
      releasingAt: t.now.toISOString(),
      returnsAt: until.toISOString(),
      reason: `exchanged for ${replacement.number}`,
      by: t.actor.userId || null,
    },
    { numberId: old.id },
  );
}
