import { contactOptedIn, contactOptedOut, type optOutSources } from '#contract/compliance';
import type { TxCtx } from '../../../platform/context.ts';
import { deleteOptOut, holdLedger, insertOptOut, writeHistory } from './store-ledger.ts';

type Source = (typeof optOutSources)[number];
export interface Asked {
  number: string;
  source: Source;
  numberId: number | null;
  proof: string | null;
}

/** Nobody in the company texts this number from now on. True when that was not so before; the history notes it either way. */
export async function optOut(ctx: TxCtx, asked: Asked): Promise<boolean> {
  await holdLedger(ctx.tx, ctx.companyId, asked.number, 'to_change');
  const fresh = await insertOptOut(ctx.tx, {
    company_id: ctx.companyId,
    number: asked.number,
    source: asked.source,
    number_id: asked.numberId,
    opted_out_at: ctx.now,
  });
  await note(ctx, asked, 'out');
  if (fresh)
    await ctx.say(contactOptedOut, {
      number: asked.number,
      numberId: asked.numberId,
      source: asked.source,
      at: ctx.now.toISOString(),
    });
  return fresh;
}

/** Texting is allowed again. True when it was not allowed before. */
export async function optIn(ctx: TxCtx, asked: Asked): Promise<boolean> {
  await holdLedger(ctx.tx, ctx.companyId, asked.number, 'to_change');
  const lifted = await deleteOptOut(ctx.tx, ctx.companyId, asked.number);
  if (!lifted) return false;
  await note(ctx, asked, 'in');
  await ctx.say(contactOptedIn, {
    number: asked.number,
    numberId: asked.numberId,
    source: asked.source,
    at: ctx.now.toISOString(),
  });
  return true;
}

const note = (ctx: TxCtx, a: Asked, action: 'out' | 'in') =>
  writeHistory(ctx.tx, {
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
