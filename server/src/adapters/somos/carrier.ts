import type { Carrier } from '../../gateways/carrier.ts';
import type { GatewayServices } from '../adapter.ts';
import { CarrierObjectStore } from '../shared/carrier-object-store.ts';
import { openSomosApi } from './api.ts';
import { somosNumbers } from './numbers.ts';
import { somosSettings } from './settings.ts';

/**
 * Somos, the registry of toll-free numbers: reserves them for our responsible organization and
 * carries no calls. Unverified: its API reference is not published, so this follows what others
 * have shown of it. Throws when its account is not set.
 */
export function somosCarrier({ settings, db }: Pick<GatewayServices, 'settings' | 'db'>): Carrier {
  const somos = somosSettings.of(settings);
  if (!somos) throw new Error('CARRIER names somos, but its account is not set.');
  return {
    name: 'somos',
    label: 'Somos',
    providerIds: [2],
    registryOnly: true,
    numbers: somosNumbers(somos, openSomosApi(somos), new CarrierObjectStore(db, 'somos')),
  };
}
