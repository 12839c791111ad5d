import { blockRemoved } from '#contract/compliance';
import type { TxCtx } from '../../platform/context.ts';
import { audit } from '../../platform/audit.ts';
import { missing, refuse } from '../../platform/refuse.ts';
import { saidOf } from './add-block.ts';
import { blockById, deleteBlock, type BlockRow } from './store.ts';

export async function removeBlock(ctx: TxCtx, id: number): Promise<void> {
  const row = (await blockById(ctx.tx, ctx.companyId, id)) ?? missing();
  if (ctx.numbers && row.number_id !== null && !ctx.numbers.includes(row.number_id)) missing();
  if ((ctx.numbers && row.number_id === null) || (row.everywhere && ctx.role !== 'platform'))
    refuse('role.forbidden');
  await dropBlock(ctx, row);
}

/** Take one rule away, once. */
export async function dropBlock(ctx: TxCtx, rule: BlockRow): Promise<boolean> {
  const row = await deleteBlock(ctx.tx, ctx.companyId, rule.id);
  if (!row) return false;
  await audit(ctx, 'block.removed', `block:${row.id}`, {
    before: {
      target: row.target,
      action: row.action,
      number_id: row.number_id,
      global: row.everywhere,
    },
  });
  await ctx.say(
    blockRemoved,
    saidOf(ctx, row),
    row.number_id === null ? {} : { numberId: row.number_id },
  );
  return true;
}
