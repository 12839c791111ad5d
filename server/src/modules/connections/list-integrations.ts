import { type Answer, type connections as contract } from '#contract';
import { oauthProviders, type OAuthIntegration } from '#contract/connections/schemas';
import type { TxCtx } from '../../platform/context.ts';
import type { ConnectionStatus } from './rules.ts';
import { connectedRows } from './store.ts';

/** How the API names a connection's status (A16.1). */
const statusNames = {
  connected: 'connected',
  failing: 'error',
  needs_reconnect: 'expired',
} as const satisfies Partial<Record<ConnectionStatus, OAuthIntegration['status']>>;

/** The company's connected accounts, oldest first, and every provider that could be connected. */
export async function listIntegrations(
  t: TxCtx,
): Promise<Answer<typeof contract.listOAuthIntegrations>> {
  const rows = await connectedRows(t.tx, t.companyId);
  return {
    data: rows.map((row) => ({
      id: row.id,
      provider: row.provider,
      // The query leaves out what is disconnected.
      status: statusNames[row.status as keyof typeof statusNames],
      account: { external_id: row.external_id, name: row.account_name, email: row.account_email },
      scopes: row.scopes,
      last_success_at: row.last_worked_at?.toISOString() ?? null,
      last_error:
        row.last_error && row.last_error_at
          ? { at: row.last_error_at.toISOString(), text: row.last_error }
          : null,
      created_by: row.created_by,
      created_at: row.created_at.toISOString(),
    })),
    providers: Object.entries(oauthProviders).map(([name, label]) => ({
      name,
      label,
      ready: t.gateways.oauth.has(name),
    })),
  };
}
