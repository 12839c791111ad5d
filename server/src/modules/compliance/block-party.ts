import type { TxCtx } from '../../platform/context.ts';
import { createBlock } from './add-block.ts';
import { removeBlockRule } from './remove-block.ts';
import { blocksOfTarget } from './store.ts';

/** Block the other party of a conversation: for the whole company, or for the number only when the actor sees only some. False: it was so. */
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

/** Take away what blocks exactly this party here. A company's rule stays for who sees only some numbers; prefixes stay for everyone. */
export async function unblockParty(ctx: TxCtx, party: string, numberId: number): Promise<boolean> {
  let changed = false;
  for (const rule of await blocksOfTarget(ctx.tx, ctx.companyId, party, numberId)) {
    if (ctx.numbers && rule.number_id === null) continue;
    changed = (await removeBlockRule(ctx, rule)) || changed;
  }
  return changed;
}
