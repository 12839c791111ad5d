/** What receivers call the people, calls and texts that they were sent. */
import type { DeliveryFacts, Destination } from '../../gateways/destination.ts';
import type { TxCtx } from '../../platform/context.ts';
import { sign } from '../../platform/secrets.ts';
import type { DestinationRow } from './store.ts';

/** Keyed hashes of what a provider names, by its names: no number is stored a second time. */
export function recordKeys(
  { settings }: Pick<TxCtx, 'settings'>,
  { destination, kind }: { destination: Pick<DestinationRow, 'id'>; kind: Destination },
  facts: DeliveryFacts,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(kind.records?.(facts) ?? {}).map(([name, key]) => [
      name,
      sign(settings.appSecret, `record:${destination.id}:${key}`),
    ]),
  );
}

/** What the receiver calls them, as far as it was said. */
export async function knownRecords(
  t: TxCtx,
  of: { destination: DestinationRow; kind: Destination },
  facts: DeliveryFacts,
): Promise<Record<string, string>> {
  const keys = Object.entries(recordKeys(t, of, facts));
  if (keys.length === 0) return {};
  const rows = await t.tx
    .selectFrom('delivered_record')
    .select(['key', 'external_id'])
    .where('company_id', '=', t.companyId)
    .where('destination_id', '=', of.destination.id)
    .where(
      'key',
      'in',
      keys.map(([, key]) => key),
    )
    .execute();
  const byKey = new Map(rows.map((row) => [row.key, row.external_id]));
  return Object.fromEntries(
    keys.flatMap(([name, key]) => {
      const found = byKey.get(key);
      return found === undefined ? [] : [[name, found]];
    }),
  );
}

/** Stores what the receiver calls things, by their keys. */
export async function rememberRecords(
  t: TxCtx,
  destinationId: number,
  records: readonly { key: string; externalId: string }[],
): Promise<void> {
  await t.tx
    .insertInto('delivered_record')
    .values(
      records.map(({ key, externalId }) => ({
        company_id: t.companyId,
        destination_id: destinationId,
        key,
        external_id: externalId,
        updated_at: t.clock(),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'destination_id', 'key']).doUpdateSet((eb) => ({
        external_id: eb.ref('excluded.external_id'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .execute();
}
