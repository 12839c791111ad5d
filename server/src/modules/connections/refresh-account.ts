import { connectionChanged } from '#contract/connections/events';
import type { OAuthAccount } from '../../gateways/oauth.ts';
import type { Ctx } from '../../platform/context.ts';
import { providerNamed } from './connect.ts';
import { connectedAccount } from './disconnect.ts';
import { patchConnection } from './store.ts';
import { askWithConnection } from './use-connection.ts';

/**
 * Asks the provider again whose account it is, and stores its name. Fails with `not_found`.
 * @param ctx outside a transaction
 * @throws ConnectionUnusableError when there is no token to ask with, and what the provider throws
 */
export async function refreshAccount(ctx: Ctx, connectionId: number): Promise<void> {
  const before = await ctx.transaction((t) => connectedAccount(t, connectionId));
  const provider = providerNamed(ctx, before.provider);
  const { account } = await askWithConnection(
    ctx,
    connectionId,
    async (token): Promise<{ status: number; account: OAuthAccount }> => ({
      status: 200,
      account: await provider.account(token),
    }),
  );
  const { name, email } = account;
  if (name === before.account.name && email === before.account.email) return;
  await ctx.transaction(async (t) => {
    await patchConnection(t.tx, t.companyId, connectionId, {
      account_name: name,
      account_email: email,
    });
    await t.publish(connectionChanged, {
      connectionId,
      provider: before.provider,
      connected: true,
    });
  });
}
