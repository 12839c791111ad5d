import { formatPhone, isTollFree } from '#contract/phone';
import type { RegistrationKind } from '#contract/registration-lists';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/refuse.ts';
import type { RegistrationCarrier } from '../../../ports/registration.ts';
import { campaignNumbers, registrableByIds, type Registrable } from './store.ts';

const kindOf = (number: string): RegistrationKind => (isTollFree(number) ? 'toll_free' : 'local');

/** Whose registry takes a campaign's numbers of one kind: the carrier they are with. */
export async function registrarFor(
  ctx: TxCtx,
  campaignId: number,
  kind: RegistrationKind,
): Promise<RegistrationCarrier> {
  const [one] = (await campaignNumbers(ctx.tx, ctx.companyId, [campaignId])).filter(
    (n) => n.kind === kind && n.state !== 'leaving',
  );
  const [found] = one ? await registrableByIds(ctx.tx, ctx.companyId, [one.number_id]) : [];
  return ctx.ports.carriers.registrarOf(
    found?.provider_id ?? ctx.ports.carriers.first.providerIds[0] ?? 1,
  );
}

/**
 * A carrier registers its own numbers only, so those of one kind in one registration are with one carrier. Refuses the first
 * that is with another, at the field `numbers`.
 */
export async function mustShareCarrier(
  ctx: TxCtx,
  campaignId: number,
  wanted: readonly Registrable[],
): Promise<void> {
  const before = await registrableByIds(
    ctx.tx,
    ctx.companyId,
    (await campaignNumbers(ctx.tx, ctx.companyId, [campaignId]))
      .filter((n) => n.state !== 'leaving')
      .map((n) => n.number_id),
  );
  const { carriers } = ctx.ports;
  for (const kind of ['local', 'toll_free'] as const) {
    const [first, ...others] = [...before, ...wanted].filter((n) => kindOf(n.number) === kind);
    const stranger =
      first &&
      others.find(
        (n) =>
          carriers.registrarOf(n.provider_id).name !== carriers.registrarOf(first.provider_id).name,
      );
    if (stranger)
      invalid({
        numbers: `${formatPhone(stranger.number)} is with ${labelOf(ctx, stranger)}, ${formatPhone(first.number)} with ${labelOf(ctx, first)}. Make a registration for each carrier.`,
      });
  }
}
const labelOf = (ctx: TxCtx, n: Registrable): string =>
  ctx.ports.carriers.ofProvider(n.provider_id).label;
