import { contactOptedIn, contactOptedOut } from '#contract/compliance/events';
import type { optOutSources } from '#contract/compliance/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { deleteOptOut, lockOptOut, insertOptOut, insertOptOutHistory } from './store-opt-outs.ts';

type Source = (typeof optOutSources)[number];
interface OptOutChange {
  number: string;
  source: Source;
  numberId: number | null;
  proof: string | null;
}

/**
 * Opts the number out for the whole company. False: it was opted out; the history has an entry
 * either way.
 */
export async function optOut(ctx: TxCtx, change: OptOutChange): Promise<boolean> {
  await lockOptOut(ctx.tx, ctx.companyId, change.number, 'to_change');
  const isNew = await insertOptOut(ctx.tx, {
    company_id: ctx.companyId,
    number: change.number,
    source: change.source,
    number_id: change.numberId,
    opted_out_at: ctx.now,
  });
  await insertHistory(ctx, change, 'out');
  if (isNew)
    await ctx.publish(contactOptedOut, {
      number: change.number,
      numberId: change.numberId,
      source: change.source,
      at: ctx.now.toISOString(),
    });
  return isNew;
}

/** Opts the number in again. False: it wasn't opted out. */
export async function optIn(ctx: TxCtx, change: OptOutChange): Promise<boolean> {
  await lockOptOut(ctx.tx, ctx.companyId, change.number, 'to_change');
  const removed = await deleteOptOut(ctx.tx, ctx.companyId, change.number);
  if (!removed) return false;
  await insertHistory(ctx, change, 'in');
  await ctx.publish(contactOptedIn, {
    number: change.number,
    numberId: change.numberId,
    source: change.source,
    at: ctx.now.toISOString(),
  });
  return true;
}

const insertHistory = (ctx: TxCtx, a: OptOutChange, action: 'out' | 'in') =>
  insertOptOutHistory(ctx.tx, {
    company_id: ctx.companyId,
    number: a.number,
    action,
    source: a.source,
    number_id: a.numberId,
    proof: a.proof?.slice(0, 500) ?? null,
    actor_id: ctx.actor.userId || null,
    actor_name: ctx.actor.userId ? ctx.actor.name : null,
    at: ctx.now,
  });
