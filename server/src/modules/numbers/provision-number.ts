import { numbers as contract, normalizePhone } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import { firstOf } from '../../platform/must-be.ts';
import type { AvailableNumber } from '../../gateways/number-inventory.ts';
import { recordPurchase } from './record-purchase.ts';
import { newNumbers } from './order-numbers.ts';
import { listPriceCents } from './rules.ts';
import { claimNumber } from './store-purchases.ts';

/**
 * Adds a number that is already ours at the carrier (ported in, transferred, demo data), without an
 * order or the limit. A template gives it settings and routes; `copyOf` is a number whose routes it
 * gets. Returns the row's ID. Fails with `numbers.taken`.
 */
export async function provisionNumber(
  ctx: TxCtx,
  input: {
    number: string;
    label?: string;
    category?: 1 | 2 | 3 | 4;
    found?: AvailableNumber;
    templateId?: number | null;
    copyOf?: number;
    /** Name of the carrier that has it; omitted or null: the default one. */
    carrier?: string | null;
    /** Type of its first timeline entry; omitted: purchased. */
    how?: 'ported_in';
    /** Summary of its first timeline entry, instead of the usual one. */
    reason?: string;
  },
): Promise<number> {
  const number = normalizePhone(input.number) ?? fail('numbers.taken');
  const providerId =
    input.carrier && input.carrier !== 'sandbox'
      ? ctx.gateways.carriers.byName(input.carrier)?.providerIds.at(-1)
      : undefined;
  const rows = await newNumbers(
    ctx,
    [
      {
        number,
        category: input.category ?? contract.categoryOf(number),
        found: input.found ?? null,
        ...(providerId ? { providerId } : {}),
      },
    ],
    { key: null, label: input.label ?? '', buyer: ctx.actor.userId || null, status: 'active' },
  );
  const row = firstOf(rows);
  // Marked like the numbers that the sandbox sells.
  if (ctx.gateways.carriers.forProvider(row.found.providerId ?? 1).name === 'sandbox')
    row.provider_ref = `sb-${number.slice(1)}`;
  if (row.found.monthlyCents === 0)
    row.found = { ...row.found, monthlyCents: listPriceCents[row.category] };
  const id =
    (await claimNumber(ctx.tx, ctx.companyId, row, ctx.actor.userId)) ??
    fail('numbers.taken', {}, { taken: [number], free: [] });
  await recordPurchase(ctx, {
    id,
    number,
    label: row.label,
    buyer: row.purchased_by,
    templateId: input.templateId ?? null,
    ...(input.how ? { how: input.how } : {}),
    ...(input.reason ? { reason: input.reason } : {}),
    ...(input.copyOf ? { copyOf: input.copyOf } : {}),
  });
  return id;
}
