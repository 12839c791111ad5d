import type { TxCtx } from '../../platform/context.ts';
import { optOut } from '../compliance/index.ts';

/** Someone whose text the carrier rejected because they opted out there. */
export interface CarrierOptOut {
  /** Their number. */
  number: string;
  /** Ours that they were texted from; null: not recorded. */
  numberId: number | null;
  /** The carrier's sentence. */
  reason: string | null;
}

/**
 * Records opt-outs that a carrier reported in our ledger. Call it before locking conversations or
 * recipients: everyone locks the ledger first, and its rows in the order of numbers.
 */
export async function recordCarrierOptOuts(
  t: TxCtx,
  optOuts: readonly CarrierOptOut[],
): Promise<void> {
  const sorted = [...optOuts].sort((a, b) => (a.number < b.number ? -1 : 1));
  for (const { number, numberId, reason } of sorted)
    await optOut(t, { number, source: 'carrier_error', numberId, proof: reason });
}
