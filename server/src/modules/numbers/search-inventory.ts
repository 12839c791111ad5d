import { numbers as contract } from '#contract';
import { mustBe } from '../../platform/must-be.ts';
import type {
  AvailableNumber,
  NumberInventory,
  NumberQuery,
} from '../../gateways/number-inventory.ts';

const maxCached = 300;
const cacheByInventory = new WeakMap<
  NumberInventory,
  Map<string, { at: number; found: AvailableNumber[] }>
>();

/**
 * Searches the inventory; the same search within 300 s is answered from a cache, because carriers
 * limit searches (B §9). A result may be gone by then, so callers check again. `onUnavailable`
 * reports each carrier that fails; throws if the search itself fails.
 */
export async function searchInventory(
  inventory: NumberInventory,
  query: NumberQuery,
  now: Date,
  onUnavailable: (carrier: string, error: unknown) => void,
): Promise<AvailableNumber[]> {
  const cache =
    cacheByInventory.get(inventory) ?? new Map<string, { at: number; found: AvailableNumber[] }>();
  cacheByInventory.set(inventory, cache);
  const key = JSON.stringify(
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const cached = cache.get(key);
  if (cached && now.getTime() - cached.at < contract.searchCacheSeconds * 1000) return cached.found;
  let isComplete = true;
  const found = await inventory.search(query, (carrier, error) => {
    isComplete = false;
    onUnavailable(carrier, error);
  });
  if (!isComplete) return found; // not cached, so the next search asks that carrier again
  cache.delete(key);
  cache.set(key, { at: now.getTime(), found });
  // Evicts the oldest entry.
  if (cache.size > maxCached) cache.delete(mustBe(cache.keys().next().value, 'oldest entry'));
  return found;
}
