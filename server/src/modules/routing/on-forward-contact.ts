import { routing, type EventData, type forwarding } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { setRoutingSummary } from '../numbers/index.ts';
import { routesOf } from './routes-of.ts';
import { routingSummary } from './rules.ts';
import { numbersUsingContact, replaceContact } from './store-references.ts';

/**
 * A forwarding contact has a new destination: updates the stored routing summary of its numbers.
 */
export async function onContactChanged(
  ctx: TxCtx,
  changed: EventData<typeof forwarding.forwardContactChanged>,
): Promise<void> {
  if (changed.moved)
    await updateNumberRouting(
      ctx,
      await numbersUsingContact(ctx.tx, ctx.companyId, changed.contactId),
    );
}

/** A forwarding contact was deleted: its replacement, if any, takes its place in all routes. */
export async function onContactDeleted(
  ctx: TxCtx,
  gone: EventData<typeof forwarding.forwardContactDeleted>,
): Promise<void> {
  if (gone.replacedBy === null) return;
  const numbers = await numbersUsingContact(ctx.tx, ctx.companyId, gone.contactId);
  await replaceContact(ctx.tx, ctx.companyId, gone.contactId, gone.replacedBy);
  await updateNumberRouting(ctx, numbers);
}

async function updateNumberRouting(ctx: TxCtx, numberIds: readonly number[]): Promise<void> {
  for (const numberId of numberIds) {
    await setRoutingSummary(
      ctx,
      numberId,
      routingSummary(await routesOf(ctx.tx, ctx.companyId, numberId)),
    );
    await ctx.publish(routing.routingChanged, { companyId: ctx.companyId, numberId }, { numberId });
  }
}
