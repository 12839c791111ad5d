import { marketplace as contract } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { insertEvent } from './store.ts';

/**
 * Adds an entry to a listing's timeline and publishes the change. `by` names the actor if that isn't
 * one of the lister's people; null: no name is shown.
 */
export async function recordListingEvent(
  ctx: TxCtx,
  id: number,
  e: { kind: string; text: string; status: contract.MarketplaceStatus; by?: string | null },
): Promise<void> {
  await insertEvent(ctx.tx, {
    company_id: ctx.companyId,
    marketplace_id: id,
    kind: e.kind,
    text: e.text,
    status: e.status,
    by_name: e.by === undefined ? (ctx.actor.userId ? ctx.actor.name : null) : e.by,
    at: ctx.now,
  });
  await ctx.publish(contract.marketplaceChanged, {
    companyId: ctx.companyId,
    marketplaceId: id,
    status: e.status,
    what: e.kind,
  });
}
