import {
  CarrierNotConnectedError,
  type Carrier,
  type Carriers,
  type ProviderId,
} from '../gateways/carrier.ts';
import type { Exchange } from './adapter.ts';
import type { AvailableNumber, NumberInventory } from '../gateways/number-inventory.ts';
import { firstOf, mustBe } from '../platform/must-be.ts';

/**
 * Chooses the carrier. Real carriers come before the sandbox, which serves every provider. A
 * provider that no carrier serves goes to the first carrier of the setting CARRIER. `own`: our
 * exchange, when the sandbox carrier is not connected.
 */
export function connectCarriers(list: readonly Carrier[], own: Exchange | null = null): Carriers {
  // CARRIER names at least one.
  const first = firstOf(list);
  const realFirst = [...list].sort(
    (a, b) => Number(a.name === 'sandbox') - Number(b.name === 'sandbox'),
  );
  const named = (name: string) =>
    list.find((c) => c.name === name) ??
    list.find((c) => c.voice?.name === name || c.messaging?.name === name);
  const exchange = named('sandbox')?.voice ?? own?.voice ?? null;
  const inventoryOwnerOf = (id: number) =>
    realFirst.find((c) => c.providerIds.includes(id as ProviderId)) ?? first;
  const ofProvider = (id: number) =>
    inventoryOwnerOf(id).registryOnly ? first : inventoryOwnerOf(id);
  const ofNumber = ({
    providerId,
    providerRef,
  }: {
    providerId: number;
    providerRef: string | null;
  }): Carrier | null => {
    if (isSandboxRef(providerRef)) return named('sandbox') ?? null;
    // Without a carrier's id, numbers of providers 1 and 2 may be the sandbox's; 3 and 4 never are.
    if (providerRef === null && providerId < 3) return ofProvider(providerId);
    const owner = list.find(
      (c) => c.name !== 'sandbox' && c.providerIds.includes(providerId as ProviderId),
    );
    if (!owner?.registryOnly) return owner ?? null;
    return first.name === 'sandbox' ? null : first;
  };
  return {
    all: list,
    primary: first,
    byName: named,
    exchange,
    webhooks: [...list, ...(own ? [own] : [])].map(({ name, webhooks = [] }) => ({
      carrier: name,
      webhooks,
    })),
    forProvider: ofProvider,
    inventoryOwner: inventoryOwnerOf,
    forNumber: ofNumber,
    voice: (name) =>
      named(name)?.voice ??
      (exchange?.name === name ? exchange : null) ??
      throwNotConnected(name, 'calls'),
    messaging: (name) => named(name)?.messaging ?? throwNotConnected(name, 'texts'),
    registration: (name) => named(name)?.registration ?? throwNotConnected(name, 'registrations'),
    registrationProvider: (id) =>
      ofProvider(id).registration ??
      list.find((c) => c.registration)?.registration ??
      throwNotConnected(first.name, 'registrations'),
    porting: (name) => named(name)?.porting ?? throwNotConnected(name, 'ports'),
    get portingProvider() {
      return list.find((c) => c.porting)?.porting ?? throwNotConnected(first.name, 'ports');
    },
  };
}

/** Whether it is the sandbox's id of a number. */
const isSandboxRef = (ref: string | null | undefined): boolean => /^(sb|sandbox)-/.test(ref ?? '');

function throwNotConnected(name: string, what: string): never {
  throw new CarrierNotConnectedError(name, what);
}

/**
 * The inventories of all carriers as one. An offer counts only when its provider id leads back to
 * the carrier that made it: the sandbox offers no numbers of a provider whose real carrier is
 * connected. Orders and releases go by provider id.
 */
export function combinedInventory(carriers: Carriers): NumberInventory {
  const owners = carriers.all.filter((c) => c.numbers);
  if (owners.length <= 1) return owners[0]?.numbers ?? noInventory;
  const sandbox = owners.find((c) => c.name === 'sandbox');
  const inventoryOf = (providerId: number | undefined, ref?: string | null): NumberInventory => {
    const ownerOfProvider = (): Carrier | undefined =>
      providerId === undefined
        ? owners[0]
        : owners.find((carrier) => carrier === carriers.inventoryOwner(providerId));
    const owner = isSandboxRef(ref) && sandbox ? sandbox : ownerOfProvider();
    // Every owner has an inventory (filtered above).
    return mustBe(owner?.numbers ?? firstOf(owners).numbers, 'inventory of an owner');
  };
  return {
    name: 'several',
    async search(query, away) {
      const results = await Promise.allSettled(
        owners.map(async (c) =>
          (await mustBe(c.numbers, 'inventory of an owner').search(query)).filter(
            (f) => carriers.inventoryOwner(f.providerId) === c,
          ),
        ),
      );
      const lists = results.flatMap((a) => (a.status === 'fulfilled' ? [a.value] : []));
      // When every carrier is unreachable, that is an error and not an empty result.
      if (!lists.length) throw (results[0] as PromiseRejectedResult).reason;
      results.forEach((a, i) => {
        if (a.status === 'rejected')
          away?.(mustBe(owners[i], 'owner that was asked').label, a.reason);
      });
      return interleave(lists).slice(0, query.limit);
    },
    order: (number, key, providerId) => inventoryOf(providerId).order(number, key, providerId),
    release: (number, providerId, providerRef) =>
      inventoryOf(providerId, providerRef).release(number, providerId),
  };
}

const noInventory: NumberInventory = {
  name: 'none',
  search: async () => [],
  order: async () => ({ state: 'taken' }),
  release: async () => {},
};

/** One offer of each list in turn, so that no carrier's offers hide another's; each number once. */
function interleave(lists: readonly AvailableNumber[][]): AvailableNumber[] {
  const longest = Math.max(...lists.map((l) => l.length));
  const seen = new Set<string>();
  return Array.from({ length: longest }, (_, i) => lists.flatMap((l) => l[i] ?? []))
    .flat()
    .filter((f) => !seen.has(f.number) && seen.add(f.number));
}
