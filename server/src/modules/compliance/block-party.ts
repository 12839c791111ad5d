import type { TxCtx } from '../../platform/context.ts';
import { createBlock } from './add-block.ts';
import { removeBlockRule } from './remove-block.ts';
import { blocksOfTarget } from './store.ts';

/**
 * Blocks the other party of a conversation: for the whole company, or only for this number if the
 * actor is limited to some numbers. False if already blocked.
 */
export async function blockParty(ctx: TxCtx, party: string, numberId: number): Promise<boolean> {
  if ((await blocksOfTarget(ctx.tx, ctx.companyId, party, numberId)).length) return false;
  return (
    (await createBlock(ctx, {
      target: party,
      action: 1,
      everywhere: false,
      numberId: ctx.numbers ? numberId : null,
    })) !== undefined
  );
}

/**
 * Removes the rules that block exactly this party on this number. An actor limited to some numbers
 * can't remove the company's rule; prefix rules are never removed here.
 */
export async function unblockParty(ctx: TxCtx, party: string, numberId: number): Promise<boolean> {
  let changed = false;
  for (const rule of await blocksOfTarget(ctx.tx, ctx.companyId, party, numberId)) {
    if (ctx.numbers && rule.number_id === null) continue;
    changed = (await removeBlockRule(ctx, rule)) || changed;
  }
  return changed;
}
