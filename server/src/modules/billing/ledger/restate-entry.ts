import type { TxCtx } from '../../../platform/context.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { entryById, insertEntry } from './store-ledger.ts';

/**
 * Takes an entry back by one of the opposite amount, and enters the right amount instead (zero:
 * none). Entries themselves never change. Done twice, nothing more happens.
 * @throws when there is no such entry
 */
export async function restateEntry(
  ctx: TxCtx,
  id: number,
  right: { amountCents: number; reason: string },
): Promise<void> {
  const wrong = mustBe(await entryById(ctx.tx, ctx.companyId, id), `ledger entry ${id}`);
  const taken = await insertEntry(ctx.tx, ctx.companyId, {
    cause: `correction:${id}`,
    kind: 'correction',
    amountCents: -wrong.amount_cents,
    currency: wrong.currency,
    description: right.reason,
    correctsId: id,
    at: ctx.now,
  });
  if (!taken || right.amountCents === 0) return;
  await insertEntry(ctx.tx, ctx.companyId, {
    cause: `restated:${id}`,
    kind: kindOf(wrong.kind, right.amountCents),
    amountCents: right.amountCents,
    currency: wrong.currency,
    description: right.reason,
    at: ctx.now,
  });
}

const kindOf = (wrong: string, cents: number): 'tax' | 'charge' | 'credit' => {
  if (wrong === 'tax') return 'tax';
  return cents > 0 ? 'charge' : 'credit';
};
