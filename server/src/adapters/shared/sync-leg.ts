import type { LegId } from '../../gateways/voice.ts';
import type { LegInstruction } from './leg-instruction.ts';
import type { CarrierLeg, CarrierLegStore } from './carrier-leg-store.ts';
import type { LegMutex } from './leg-mutex.ts';

/** Longest a request waits for webhooks and requests of the same leg ahead of it. Milliseconds. */
const lockTimeoutMs = 10_000;
/**
 * Sends the carrier the instruction in the row, or ends the leg (`leaving`). False: the carrier did
 * not accept it and will request the instruction later.
 */
export type UpdateCarrierLeg = (row: PlacedLeg, leaving: boolean) => Promise<boolean>;
/** A leg whose call the carrier knows. */
export type PlacedLeg = CarrierLeg<LegInstruction> & { ref: string };

/** Sends a leg's instruction, unless the carrier has it already or will request it. */
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
 * Sends the newest instruction. `deliveredVersion`: the one that was just delivered, if any. The
 * leg is read again after each update, because another process may have sent a newer instruction
 * that ours has just overwritten.
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
    // A ringing leg requests its instruction when it is answered.
    if (!leaving && !row.inbound && row.state !== 'answered') return;
    if (!(await updateLeg({ ...row, ref: row.ref }, leaving))) return;
    await store.markDelivered(leg, row.doingN);
    delivered = row.doingN;
  }
}
