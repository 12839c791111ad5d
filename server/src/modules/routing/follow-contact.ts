import { routing, type EventData, type forwarding } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { setRoutingInShort } from '../numbers/index.ts';
import { routesOf } from './routes-of.ts';
import { routingInShort } from './rules.ts';
import { numbersNaming, replaceContact } from './store.ts';

/** A forwarding contact leads elsewhere: calls ask anew anyway, but what lists say in short is written down. */
export async function followContact(
  ctx: TxCtx,
  changed: EventData<typeof forwarding.forwardContactChanged>,
): Promise<void> {
  if (changed.moved)
    await tellNumbers(ctx, await numbersNaming(ctx.tx, ctx.companyId, changed.contactId));
}

/** One took another's place: from now on routes name it. */
export async function replaceForwardContact(
  ctx: TxCtx,
  gone: EventData<typeof forwarding.forwardContactDeleted>,
): Promise<void> {
  if (gone.replacedBy === null) return;
  const numbers = await numbersNaming(ctx.tx, ctx.companyId, gone.contactId);
  await replaceContact(ctx.tx, ctx.companyId, gone.contactId, gone.replacedBy);
  await tellNumbers(ctx, numbers);
}

async function tellNumbers(ctx: TxCtx, numberIds: readonly number[]): Promise<void> {
  for (const numberId of numberIds) {
    await setRoutingInShort(
      ctx,
      numberId,
      routingInShort(await routesOf(ctx.tx, ctx.companyId, numberId)),
    );
    await ctx.say(routing.routingChanged, { companyId: ctx.companyId, numberId }, { numberId });
  }
}
