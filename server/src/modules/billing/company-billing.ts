import type { Answer, billing as contract, Query } from '#contract';
import { cardPages } from '#contract/billing/rules';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { balanceOf } from './ledger/store-ledger.ts';
import { requireProvider } from './payments/charge-balance.ts';
import { presentBilling } from './present.ts';
import { detailsOf, subscriptionOf } from './store-subscription.ts';
import { requireBilling } from './subscription.ts';

/** Address, card and what is owed. */
export async function companyBilling(t: TxCtx): Promise<Answer<typeof contract.companyBilling>> {
  requireBilling(t);
  const [details, row] = [
    await detailsOf(t.tx, t.companyId),
    await subscriptionOf(t.tx, t.companyId),
  ];
  return {
    data: presentBilling(details, row, await balanceOf(t.tx, t.companyId), {
      now: t.now,
      mode: t.settings.billing,
      takesCards: t.gateways.payments !== null,
    }),
  };
}

/** What this company's card is entered with. */
export async function cardSecurityToken(
  ctx: Ctx,
  { return_to: page = cardPages[0] }: Query<typeof contract.cardSecurityToken>,
): Promise<Answer<typeof contract.cardSecurityToken>> {
  const provider = requireProvider(ctx);
  const row = await ctx.readOnly((t) => subscriptionOf(t.tx, t.companyId));
  const entry = await provider.openCardEntry(ctx.companyId, {
    now: ctx.now,
    returnUrl: ctx.settings.publicUrl + page,
    known: row?.card_reference ?? null,
  });
  const isPage = 'pageUrl' in entry;
  return {
    data: {
      provider: provider.name,
      token: isPage ? null : entry.token,
      tokens_url: isPage ? null : entry.tokensUrl,
      page_url: isPage ? entry.pageUrl : null,
      expires_at: entry.expiresAt.toISOString(),
    },
  };
}
