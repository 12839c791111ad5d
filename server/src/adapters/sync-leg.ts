import type { LegId } from '../gateways/voice.ts';
import type { LegInstruction } from './leg-instruction.ts';
import type { CarrierLeg, CarrierLegStore } from './carrier-leg-store.ts';
import type { LegMutex } from './leg-mutex.ts';

/** Longest a request waits for webhooks and requests of the same leg ahead of it. Milliseconds. */
const lockTimeoutMs = 10_000;
/** Ask the carrier to have the leg do what its row says, or to end it (`leaving`). False: it did not take it and will ask by itself. */
export type UpdateCarrierLeg = (
  row: CarrierLeg<LegInstruction>,
  leaving: boolean,
) => Promise<boolean>;

/** Tell the carrier what a leg should do, unless it has it already or will ask for it by itself. */
export async function deliverInstruction(
  client: { store: CarrierLegStore<LegInstruction>; legMutex: LegMutex },
  leg: LegId,
  updateLeg: UpdateCarrierLeg,
): Promise<void> {
  const lock = client.legMutex.acquire(leg);
  try {
    lock.hurry();
    await lock.wait(lockTimeoutMs);
    await syncLeg(client.store, leg, null, updateLeg);
  } finally {
    lock.release();
  }
}

/**
 * `given`: the document somebody has just given it. Looked at again after each, because another process may have given a
 * newer one in between, over which ours now stands.
 */
export async function syncLeg(
  store: CarrierLegStore<LegInstruction>,
  leg: LegId,
  deliveredVersion: number | null,
  updateLeg: UpdateCarrierLeg,
): Promise<void> {
  for (let delivered = deliveredVersion; ;) {
    const row = await store.read(leg);
    if (!row || row.state === 'ended' || !row.ref || row.doingN <= (delivered ?? row.toldN)) return;
    const leaving = row.doing.kind === 'hangup' || row.doing.kind === 'reject';
    // A phone that rings asks what to do when it is picked up.
    if (!leaving && !row.inbound && row.state !== 'answered') return;
    if (!(await updateLeg(row, leaving))) return;
    await store.markDelivered(leg, row.doingN);
    delivered = row.doingN;
  }
}
