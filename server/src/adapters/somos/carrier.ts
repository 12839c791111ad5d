import type { Db } from '../../platform/db.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Carrier } from '../../gateways/carrier.ts';
import { CarrierObjectStore } from '../carrier-object-store.ts';
import { openSomosApi } from './api.ts';
import { somosNumbers } from './numbers.ts';

/**
 * Somos, the registry of toll-free numbers: reserves them for our responsible organization and
 * carries no calls. Unverified: its API reference is not published, so this follows what others
 * have shown of it.
 */
export function somosCarrier(services: { settings: Settings; db: Db }): Carrier {
  const { somos } = services.settings;
  if (!somos) throw new Error('CARRIER names somos, but its account is not set.');
  return {
    name: 'somos',
    label: 'Somos',
    providerIds: [2],
    registryOnly: true,
    numbers: somosNumbers(somos, openSomosApi(somos), new CarrierObjectStore(services.db, 'somos')),
  };
}
