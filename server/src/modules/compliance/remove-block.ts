import { blockRemoved } from '#contract/compliance/events';
import type { TxCtx } from '../../platform/context.ts';
import { audit } from '../../platform/audit.ts';
import { notFound, fail } from '../../platform/errors.ts';
import { blockEventData } from './add-block.ts';
import { blockById, deleteBlock, type BlockRow } from './store.ts';

/**
 * Removes a rule by id. Throws not found for rules of numbers the actor does not see, and
 * role.forbidden for wider rules than the actor may change.
 */
export async function removeBlock(ctx: TxCtx, id: number): Promise<void> {
  const row = (await blockById(ctx.tx, ctx.companyId, id)) ?? notFound();
  if (ctx.numbers && row.number_id !== null && !ctx.numbers.includes(row.number_id)) notFound();
  if ((ctx.numbers && row.number_id === null) || (row.everywhere && ctx.role !== 'platform'))
    fail('role.forbidden');
  await removeBlockRule(ctx, row);
}

/** Deletes one rule and publishes it, once. */
export async function removeBlockRule(ctx: TxCtx, rule: BlockRow): Promise<boolean> {
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
  await ctx.publish(
    blockRemoved,
    blockEventData(ctx, row),
    row.number_id === null ? {} : { numberId: row.number_id },
  );
  return true;
}
