import { connectionChanged } from '#contract/connections/events';
import { audit } from '../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { presentConnection, type Connection } from './present.ts';
import { tokensOf } from './use-connection.ts';
import {
  connectedRows,
  connectionRow,
  listRows,
  lockConnection,
  patchConnection,
} from './store.ts';

/** All links of the company with their health, the oldest first, those that ended included. */
export async function listConnections(t: TxCtx): Promise<Connection[]> {
  return (await listRows(t.tx, t.companyId)).map(presentConnection);
}

/** The company's links that were not ended, the oldest first. */
export const connectedAccounts = async (t: TxCtx): Promise<Connection[]> =>
  (await connectedRows(t.tx, t.companyId)).map(presentConnection);

/** One of them. Fails with `not_found`. */
export async function connectedAccount(t: TxCtx, connectionId: number): Promise<Connection> {
  const row = await connectionRow(t.tx, t.companyId, connectionId);
  return row && row.status !== 'disconnected' ? presentConnection(row) : notFound();
}

/**
 * Ends a link: its tokens are erased here at once, then the provider is asked to forget them.
 * @returns whether the provider did; where it could not be asked, the tokens end there by themselves
 */
export async function disconnect(ctx: Ctx, connectionId: number): Promise<{ revoked: boolean }> {
  const ended = await ctx.transaction(async (t) => {
    const row = (await lockConnection(t.tx, t.companyId, connectionId)) ?? notFound();
    if (row.status === 'disconnected') return row;
    await patchConnection(t.tx, t.companyId, connectionId, {
      status: 'disconnected',
      tokens_sealed: null,
      access_expires_at: null,
      disconnected_at: t.now,
    });
    const before = { provider: row.provider, account: row.account_name };
    await audit(t, 'connection.disconnected', `connection:${row.id}`, { before });
    await t.publish(connectionChanged, {
      connectionId: row.id,
      provider: row.provider,
      connected: false,
    });
    return row;
  });
  const provider = ctx.gateways.oauth.get(ended.provider);
  const tokens = tokensOf(ctx, ended);
  if (!provider || !tokens) return { revoked: false };
  try {
    await provider.revoke(tokens.refresh ?? tokens.access);
    return { revoked: true };
  } catch (error) {
    ctx.log.warn(
      { err: error, provider: ended.provider },
      'a provider could not be asked to forget',
    );
    return { revoked: false };
  }
}
