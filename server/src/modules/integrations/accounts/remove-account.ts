import { integrationsChanged } from '#contract/integrations/events';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { connectedAccount, connectedAccounts, disconnect } from '../../connections/index.ts';
import { deleteCrmRecords } from '../../contacts/index.ts';
import { deleteAccount } from './store-accounts.ts';

/** Disconnects an account and forgets what was set of it. Fails with `not_found`. */
export async function removeAccount(ctx: Ctx, id: number): Promise<{ data: { revoked: boolean } }> {
  await ctx.transaction((t) => connectedAccount(t, id));
  const data = await disconnect(ctx, id);
  await ctx.transaction((t) => forgetAccount(t, id));
  return { data };
}

/**
 * What was set of an account that was disconnected goes with it. The event comes late and twice: one
 * that is connected again by then keeps what was set of it since.
 */
export async function forgetAccount(t: TxCtx, connectionId: number): Promise<void> {
  const connected = await connectedAccounts(t);
  if (connected.some(({ id }) => id === connectionId)) return;
  await deleteAccount(t.tx, t.companyId, connectionId);
  await deleteCrmRecords(t.tx, t.companyId, connectionId);
  await t.publish(integrationsChanged, { companyId: t.companyId, provider: 'oauth' });
}
