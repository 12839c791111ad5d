import { oauthProviders } from '#contract/connections/schemas';
import type { OAuthIntegration } from '#contract/integrations/oauth-integrations/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Connection } from '../../connections/index.ts';
import { healthOf } from '../present.ts';
import { accountPlaces, accountRows, type AccountRow } from './store-accounts.ts';

/** As people call a provider. */
export const labelOf = (provider: string): string =>
  oauthProviders[provider as keyof typeof oauthProviders] ?? provider;

type Places = OAuthIntegration['destinations'];

/** How the API names an account's status (A16.1). */
function statusOf(connection: Connection, row: AccountRow | undefined): OAuthIntegration['status'] {
  if (connection.status === 'needs_reconnect') return 'expired';
  if (connection.status === 'failing') return 'error';
  // A check constraint of the column.
  return (row?.state ?? 'connected') as OAuthIntegration['status'];
}

/** What went wrong last; null: nothing, or it works again. */
function errorOf(
  connection: Connection,
  row: AccountRow | undefined,
  places: Places,
): OAuthIntegration['last_error'] {
  const { status, last_error: error } = connection;
  if (error && status !== 'connected')
    return {
      at: error.at.toISOString(),
      code: status === 'needs_reconnect' ? 'access_ended' : 'request_failed',
      text: error.text,
    };
  const failed = places.find((place) => place.last_error)?.last_error;
  if (failed) return { ...failed, code: 'delivery_failed' };
  return row?.read_error && row.read_at
    ? {
        at: row.read_at.toISOString(),
        code: 'reading_failed',
        text: `Contacts can’t be read. ${row.read_error}`,
      }
    : null;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Connected accounts as the API returns them. */
export async function presentAccounts(
  t: TxCtx,
  connections: readonly Connection[],
): Promise<OAuthIntegration[]> {
  const rows = await accountRows(t.tx, t.companyId);
  const destinations = await accountPlaces(t.tx, t.companyId);
  const health = await healthOf(t, destinations);
  return connections.map((connection) => {
    const row = rows.get(connection.id);
    const places = destinations
      .filter(({ connection_id }) => connection_id === connection.id)
      .map(({ id, name, place_key: key }) => ({
        ...{ id, name, key: key ?? '' },
        ...(health.get(id) ?? { last_sent_at: null, last_error: null, sent_30d: 0, failed_30d: 0 }),
      }));
    return {
      id: connection.id,
      provider: connection.provider,
      status: statusOf(connection, row),
      account: connection.account,
      scopes: connection.scopes,
      config: (row?.config ?? {}) as OAuthIntegration['config'], // checked when it was stored
      last_sync_at: row?.last_sync_at?.toISOString() ?? null,
      last_success_at: connection.last_worked_at?.toISOString() ?? null,
      last_error: errorOf(connection, row, places),
      sent_30d: sum(places.map((place) => place.sent_30d)),
      failed_30d: sum(places.map((place) => place.failed_30d)),
      destinations: places,
      created_by: connection.created_by,
      created_at: connection.created_at.toISOString(),
    };
  });
}

/** One of them. Fails with `not_found`. */
export async function presentAccount(
  t: TxCtx,
  connection: Connection,
): Promise<{ data: OAuthIntegration }> {
  const [data] = await presentAccounts(t, [connection]);
  return data ? { data } : notFound();
}
