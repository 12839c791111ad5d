import { formatPhone, isTollFree } from '#contract/phone';
import type { RegistrationKind } from '#contract/compliance/registration/lists';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import type { RegistrationCarrier } from '../../../gateways/registration.ts';
import { campaignNumbers, registrableByIds, type RegistrableNumber } from './store.ts';

const kindOf = (number: string): RegistrationKind => (isTollFree(number) ? 'toll_free' : 'local');

/** Whose registry takes a campaign's numbers of one kind: the carrier they are with. */
export async function registrationProviderFor(
  ctx: TxCtx,
  campaignId: number,
  kind: RegistrationKind,
): Promise<RegistrationCarrier> {
  const [first] = (await campaignNumbers(ctx.tx, ctx.companyId, [campaignId])).filter(
    (n) => n.kind === kind && n.state !== 'leaving',
  );
  const [found] = first ? await registrableByIds(ctx.tx, ctx.companyId, [first.number_id]) : [];
  return ctx.gateways.carriers.registrationProvider(
    found?.provider_id ?? ctx.gateways.carriers.primary.providerIds[0] ?? 1,
  );
}

/**
 * A carrier registers its own numbers only, so those of one kind in one registration are with one carrier. Refuses the first
 * that is with another, at the field `numbers`.
 */
export async function requireSameCarrier(
  ctx: TxCtx,
  campaignId: number,
  added: readonly RegistrableNumber[],
): Promise<void> {
  const current = await registrableByIds(
    ctx.tx,
    ctx.companyId,
    (await campaignNumbers(ctx.tx, ctx.companyId, [campaignId]))
      .filter((n) => n.state !== 'leaving')
      .map((n) => n.number_id),
  );
  const { carriers } = ctx.gateways;
  for (const kind of ['local', 'toll_free'] as const) {
    const [first, ...others] = [...current, ...added].filter((n) => kindOf(n.number) === kind);
    const mismatch =
      first &&
      others.find(
        (n) =>
          carriers.registrationProvider(n.provider_id).name !==
          carriers.registrationProvider(first.provider_id).name,
      );
    if (mismatch)
      invalid({
        numbers: `${formatPhone(mismatch.number)} is at ${carrierLabelOf(ctx, mismatch)}, and ${formatPhone(first.number)} is at ${carrierLabelOf(ctx, first)}. Create a registration for each carrier.`,
      });
  }
}
const carrierLabelOf = (ctx: TxCtx, n: RegistrableNumber): string =>
  ctx.gateways.carriers.forProvider(n.provider_id).label;
