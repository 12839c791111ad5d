import { formatPhone, isTollFree } from '#contract/phone';
import type { RegistrationKind } from '#contract/compliance/registration/lists';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import type { RegistrationCarrier } from '../../../gateways/registration.ts';
import { campaignNumbers, registrableByIds, type RegistrableNumber } from './store-numbers.ts';

const kindOf = (number: string): RegistrationKind => (isTollFree(number) ? 'toll_free' : 'local');

/**
 * The registration provider for a campaign's numbers of one kind: the one of the carrier that has
 * the numbers.
 */
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
 * A carrier registers only its own numbers, so all numbers of one kind in a registration must be
 * with one carrier. Rejects the first number that is with another one, at the field `numbers`.
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
