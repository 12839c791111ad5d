import type { EventData } from '#contract';
import type { carrierAccountChanged } from '#contract/numbers/carriers/events';
import type { TxCtx } from '../../platform/context.ts';
import { enqueueSending } from './queue-text.ts';
import { conversationsWithQueuedTexts } from './store-items.ts';

/** Retries the texts that wait for a carrier as soon as it works again, not after up to 5 minutes. */
export async function retryWaitingTexts(
  t: TxCtx,
  { carrier }: EventData<typeof carrierAccountChanged>,
): Promise<void> {
  for (const id of await conversationsWithQueuedTexts(t.tx, t.companyId, carrier))
    await enqueueSending(t, id);
}
