import type { EventData } from '#contract';
import type { carrierAccountChanged } from '#contract/carriers';
import type { TxCtx } from '../../platform/context.ts';
import { enqueueHandOver } from './queue-text.ts';
import { conversationsWaitingFor } from './store-items.ts';

/** A carrier is well again: texts that wait for it are tried now, and not when their wait of up to five minutes is over. */
export async function goOnWithTexts(t: TxCtx, { carrier }: EventData<typeof carrierAccountChanged>): Promise<void> {
  for (const id of await conversationsWaitingFor(t.tx, t.companyId, carrier)) await enqueueHandOver(t, id);
}
