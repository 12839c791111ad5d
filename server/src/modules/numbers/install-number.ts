import { numbers as contract, normalizePhone } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { refuse } from '../../platform/refuse.ts';
import type { FoundNumber } from '../../ports/number-inventory.ts';
import { tellPurchased } from './buy-numbers.ts';
import { newNumbers } from './order-numbers.ts';
import { listPriceCents } from './rules.ts';
import { claimNumber } from './store.ts';

/** A number that is already ours at the carrier (ported in, the demo world): no order, no limit. Settings come from a template, else routes from another number. Answers its id. */
export async function installNumber(
  ctx: TxCtx,
  about: {
    number: string;
    label?: string;
    category?: 1 | 2 | 3 | 4;
    found?: FoundNumber;
    templateId?: number | null;
    copyOf?: number;
    /** Whose number it is, by the carrier's name; else the one that serves such numbers here. */ carrier?:
      | string
      | null;
    /** How it came here, for its timeline; else it was bought. */ how?: 'ported_in';
    /** The same in words. */ reason?: string;
  },
): Promise<number> {
  const number = normalizePhone(about.number) ?? refuse('numbers.taken');
  const ours =
    about.carrier && about.carrier !== 'sandbox'
      ? ctx.ports.carriers.named(about.carrier)?.providerIds.at(-1)
      : undefined;
  const [row] = await newNumbers(
    ctx,
    [
      {
        number,
        category: about.category ?? contract.categoryOf(number),
        found: about.found ?? null,
        ...(ours ? { providerId: ours } : {}),
      },
    ],
    { key: null, label: about.label ?? '', buyer: ctx.actor.userId || null, status: 'active' },
  );
  // The sandbox's own numbers say so, like those it sells.
  if (ctx.ports.carriers.ofProvider(row!.found?.providerId ?? 1).name === 'sandbox')
    row!.provider_ref = `sb-${number.slice(1)}`;
  if (row!.found?.monthlyCents === 0)
    row!.found = { ...row!.found, monthlyCents: listPriceCents[row!.category] };
  const id =
    (await claimNumber(ctx.tx, ctx.companyId, row!, ctx.actor.userId)) ??
    refuse('numbers.taken', {}, { taken: [number], free: [] });
  await tellPurchased(ctx, {
    id,
    number,
    label: row!.label,
    buyer: row!.purchased_by,
    templateId: about.templateId ?? null,
    ...(about.how ? { how: about.how } : {}),
    ...(about.reason ? { reason: about.reason } : {}),
    ...(about.copyOf ? { copyOf: about.copyOf } : {}),
  });
  return id;
}
