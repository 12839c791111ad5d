import {
  CarrierNotConnectedError,
  type Carrier,
  type Carriers,
  type ProviderId,
} from '../gateways/carrier.ts';
import type { VoiceCarrier } from '../gateways/voice.ts';
import type { AvailableNumber, NumberInventory } from '../gateways/number-inventory.ts';

/**
 * The choice of carrier. A real carrier is asked before the sandbox, which would answer for every provider; a provider
 * nobody answers for is served by the first carrier of CARRIER.
 */
export function connectCarriers(
  list: readonly Carrier[],
  own: VoiceCarrier | null = null,
): Carriers {
  const first = list[0]!;
  const realFirst = [...list].sort(
    (a, b) => Number(a.name === 'sandbox') - Number(b.name === 'sandbox'),
  );
  const named = (name: string) =>
    list.find((c) => c.name === name) ??
    list.find((c) => c.voice?.name === name || c.messaging?.name === name);
  const exchange = named('sandbox')?.voice ?? own;
  const keeperOf = (id: number) =>
    realFirst.find((c) => c.providerIds.includes(id as ProviderId)) ?? first;
  const ofProvider = (id: number) => (keeperOf(id).registryOnly ? first : keeperOf(id));
  const ofNumber = ({
    providerId,
    providerRef,
  }: {
    providerId: number;
    providerRef: string | null;
  }): Carrier | null => {
    if (isSandboxRef(providerRef)) return named('sandbox') ?? null;
    // Providers 3 and 4 are never the sandbox's; of the others only what has a carrier's id is certainly not.
    if (providerRef === null && providerId < 3) return ofProvider(providerId);
    const keeper = list.find(
      (c) => c.name !== 'sandbox' && c.providerIds.includes(providerId as ProviderId),
    );
    if (!keeper?.registryOnly) return keeper ?? null;
    return first.name === 'sandbox' ? null : first;
  };
  return {
    all: list,
    primary: first,
    byName: named,
    exchange,
    forProvider: ofProvider,
    inventoryOwner: keeperOf,
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
/** The sandbox's own id of a number it sold. */
const isSandboxRef = (ref: string | null | undefined): boolean => /^(sb|sandbox)-/.test(ref ?? '');

function throwNotConnected(name: string, what: string): never {
  throw new CarrierNotConnectedError(name, what);
}

/**
 * The inventories of all carriers as one. An offer counts only when its provider id leads back to the carrier that made it
 * (the sandbox sells no numbers of a provider that is really connected). Orders and returns go by provider id.
 */
export function combinedInventory(carriers: Carriers): NumberInventory {
  const having = carriers.all.filter((c) => c.numbers);
  if (having.length <= 1) return having[0]?.numbers ?? noInventory;
  const sandbox = having.find((c) => c.name === 'sandbox');
  const of = (providerId: number | undefined, ref?: string | null) =>
    (isSandboxRef(ref) && sandbox
      ? sandbox
      : providerId === undefined
        ? having[0]
        : having.find((c) => c === carriers.inventoryOwner(providerId))
    )?.numbers ?? having[0]!.numbers!;
  return {
    name: 'several',
    async search(query, away) {
      const asked = await Promise.allSettled(
        having.map(async (c) =>
          (await c.numbers!.search(query)).filter(
            (f) => carriers.inventoryOwner(f.providerId) === c,
          ),
        ),
      );
      const lists = asked.flatMap((a) => (a.status === 'fulfilled' ? [a.value] : []));
      // Everybody away is an answer too, and not "nothing found".
      if (!lists.length) throw (asked[0] as PromiseRejectedResult).reason;
      asked.forEach((a, i) => {
        if (a.status === 'rejected') away?.(having[i]!.label, a.reason);
      });
      return interleave(lists).slice(0, query.limit);
    },
    order: (number, key, providerId) => of(providerId).order(number, key, providerId),
    release: (number, providerId, providerRef) =>
      of(providerId, providerRef).release(number, providerId),
  };
}

const noInventory: NumberInventory = {
  name: 'none',
  search: async () => [],
  order: async () => ({ state: 'taken' }),
  release: async () => {},
};

/** One of each in turn, so that no carrier's offers hide another's. */
function interleave(lists: readonly AvailableNumber[][]): AvailableNumber[] {
  const longest = Math.max(...lists.map((l) => l.length));
  const seen = new Set<string>();
  return Array.from({ length: longest }, (_, i) => lists.flatMap((l) => l[i] ?? []))
    .flat()
    .filter((f) => !seen.has(f.number) && seen.add(f.number));
}
