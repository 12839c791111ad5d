import { z } from 'zod';
import { integrationsChanged } from '#contract/integrations/events';
import { oauthConfigs } from '#contract/integrations/oauth-integrations/configs';
import type { OAuthIntegration } from '#contract/integrations/oauth-integrations/schemas';
import { fieldErrors } from '#contract/problem-sentences';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, invalid } from '../../../platform/errors.ts';
import { connectedAccount, type Connection } from '../../connections/index.ts';
import { labelOf, presentAccount } from './present-account.ts';
import { setPlaces } from './set-places.ts';
import { queueSync } from './sync-account.ts';
import { ensureAccount, lockAccount, patchAccount } from './store-accounts.ts';

type Presented = { data: OAuthIntegration };

/** The configuration as its provider takes it; fails with errors by field. */
function readConfig(provider: string, config: unknown): object {
  const schema = oauthConfigs[provider as keyof typeof oauthConfigs] ?? z.looseObject({});
  const read = z.object({ config: schema as z.ZodType<object> }).safeParse({ config });
  return read.success ? read.data.config : invalid(fieldErrors(read.error));
}

/** Replaces the configuration of a connected account. Fails with `not_found`. */
export async function updateAccount(t: TxCtx, id: number, config: unknown): Promise<Presented> {
  const connection = await connectedAccount(t, id);
  const { state } = await ensureAccount(t.tx, t.companyId, id, t.now);
  await store(t, connection, readConfig(connection.provider, config), state === 'active');
  await report(t, connection, 'integration.updated');
  return presentAccount(t, connection);
}

/** Stores the configuration and makes its places those that are delivered to. */
async function store(t: TxCtx, connection: Connection, config: object, isActive: boolean) {
  const { provider, id } = connection;
  await patchAccount(t.tx, t.companyId, id, {
    config: JSON.stringify(config),
    // What comes back is read with the new settings at once.
    read_due_at: null,
    updated_at: t.now,
  });
  await setPlaces(t, { provider, id, config, isActive });
}

/**
 * Starts delivering with an account once it has been read. Fails with `not_found`,
 * `integration.reconnect`, and `integration.delivers_nothing` where nothing can be.
 * @param config undefined: as it is
 */
export async function activateAccount(t: TxCtx, id: number, config: unknown): Promise<Presented> {
  const connection = await connectedAccount(t, id);
  if (!t.gateways.destinations.get(connection.provider)?.places)
    fail('integration.delivers_nothing', { provider: labelOf(connection.provider) });
  if (connection.status === 'needs_reconnect') fail('integration.reconnect');
  const row = await ensureAccount(t.tx, t.companyId, id, t.now);
  const isActive = row.state === 'active';
  await store(t, connection, readConfig(connection.provider, config ?? row.config), isActive);
  if (!isActive) {
    await patchAccount(t.tx, t.companyId, id, { state: 'activating' });
    await queueSync(t, id);
    await report(t, connection, 'integration.activated');
  }
  return presentAccount(t, connection);
}

/** Stops delivering with an account; its configuration stays. Fails with `not_found`. */
export async function deactivateAccount(t: TxCtx, id: number): Promise<Presented> {
  const connection = await connectedAccount(t, id);
  const row = await lockAccount(t.tx, t.companyId, id);
  if (row && row.state !== 'inactive') {
    await patchAccount(t.tx, t.companyId, id, { state: 'inactive', updated_at: t.now });
    const { provider } = connection;
    await setPlaces(t, { provider, id, config: row.config as object, isActive: false });
    await report(t, connection, 'integration.deactivated');
  }
  return presentAccount(t, connection);
}

async function report(
  t: TxCtx,
  { id, provider, account }: Connection,
  action: 'integration.updated' | 'integration.activated' | 'integration.deactivated',
): Promise<void> {
  // No configuration, which can hold addresses and names of people.
  await audit(t, action, `connection:${id}`, { after: { provider, name: account.name } });
  await t.publish(integrationsChanged, { companyId: t.companyId, provider });
}
