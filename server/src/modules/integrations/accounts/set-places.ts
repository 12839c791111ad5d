import type { TxCtx } from '../../../platform/context.ts';
import { checkRules } from '../change-destination.ts';
import { lockProvider } from '../store.ts';
import { deleteOtherPlaces, upsertPlace } from './store-accounts.ts';

/** The places of an account as its configuration names them, delivered to or not. */
export async function setPlaces(
  t: TxCtx,
  {
    provider,
    id,
    config,
    isActive,
  }: { provider: string; id: number; config: object; isActive: boolean },
): Promise<void> {
  const places = t.gateways.destinations.get(provider)?.places?.(config) ?? [];
  await lockProvider(t.tx, t.companyId, provider);
  for (const { key, name, config: placeConfig, rules } of places) {
    await checkRules(t, rules);
    await upsertPlace(t.tx, {
      company_id: t.companyId,
      connection_id: id,
      place_key: key,
      ...{ provider, name, status: isActive ? 'active' : 'inactive' },
      config: JSON.stringify(placeConfig),
      rules: JSON.stringify(rules),
      created_by: t.actor.userId || null,
      created_at: t.now,
      updated_at: t.now,
    });
  }
  await deleteOtherPlaces(
    t.tx,
    t.companyId,
    id,
    places.map(({ key }) => key),
  );
}
