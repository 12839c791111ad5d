import { porting as contract } from '#contract';
import { audit } from '../../platform/audit.ts';
import type { TxCtx } from '../../platform/context.ts';
import { statusSentence } from './rules.ts';
import {
  numbersOf,
  updatePortNumbers,
  updatePort,
  type PortColumns,
  type PortRecord,
} from './store.ts';
import { insertEvent } from './store-documents.ts';
import { mailStatusJob } from './job-kinds.ts';

/**
 * Moves a locked request to a status: updates the row, adds to its history, publishes the change
 * and mails the authorized person. The caller has checked that the transition is allowed; a
 * forbidden one is a bug and throws.
 */
export async function setPortStatus(
  ctx: TxCtx,
  row: PortRecord,
  to: contract.PortStatus,
  set: PortColumns = {},
  facts: { text?: string } = {},
): Promise<void> {
  if (!contract.canMovePort(row.status, to, row.status_before))
    throw new Error(`a port cannot go from ${row.status} to ${to}`);
  const before = row.status;
  // A rejected order has nothing under way at the carrier.
  if (to === 'rejected')
    await updatePortNumbers(ctx.tx, ctx.companyId, row.id, { status: 'pending' });
  await updatePort(ctx.tx, ctx.companyId, row.id, {
    status: to,
    status_before: to === 'documentsRequested' ? before : null,
    updated_at: ctx.now,
    ...set,
  });
  const text = statusSentence(to, {
    focDate: set.foc_date ?? row.foc_date,
    wanted: set.documents_wanted ?? row.documents_wanted,
    text: facts.text,
  });
  const eventId = await insertEvent(ctx.tx, ctx.companyId, row.id, {
    kind: 'status',
    status: to,
    text,
    by_user_id: ctx.actor.userId || null,
    by_name: ctx.actor.userId ? ctx.actor.name : null,
    at: ctx.now,
  });
  await audit(ctx, 'port.moved', `port:${row.id}`, {
    before: { status: before },
    after: { status: to },
  });
  const numbers = (await numbersOf(ctx.tx, ctx.companyId, row.id)).map((n) => n.number);
  await ctx.publish(contract.portStatusChanged, {
    companyId: ctx.companyId,
    portId: row.id,
    status: to,
    before,
    numbers,
  });
  if (row.authorized_email) await ctx.enqueue(mailStatusJob, { portId: row.id, eventId });
  Object.assign(row, set, {
    status: to,
    status_before: to === 'documentsRequested' ? before : null,
  });
}

/**
 * Adds an event other than a status to a request's history and publishes the change. Returns the
 * event's id.
 */
export async function recordPortEvent(
  ctx: TxCtx,
  portId: number,
  kind: 'note' | 'document' | 'letter' | 'change' | 'alarm',
  text: string,
): Promise<number> {
  const eventId = await insertEvent(ctx.tx, ctx.companyId, portId, {
    kind,
    status: null,
    text,
    by_user_id: ctx.actor.userId || null,
    by_name: ctx.actor.userId ? ctx.actor.name : null,
    at: ctx.now,
  });
  await ctx.publish(contract.portChanged, { companyId: ctx.companyId, portId, what: kind });
  return eventId;
}
