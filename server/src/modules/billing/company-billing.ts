import type { Answer, billing as contract } from '#contract';
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

/** What opens the provider's card field for this company. */
export function cardSecurityToken(ctx: Ctx): Answer<typeof contract.cardSecurityToken> {
  const provider = requireProvider(ctx);
  const { token, tokensUrl, expiresAt } = provider.securityToken(ctx.companyId, ctx.now);
  return {
    data: {
      token,
      provider: provider.name,
      tokens_url: tokensUrl,
      expires_at: expiresAt.toISOString(),
    },
  };
}
