import { numbers as contract } from '#contract';
import type { FoundNumber, NumberInventory, NumberQuery } from '../../ports/number-inventory.ts';

const MOST_KEPT = 300;
const answers = new WeakMap<NumberInventory, Map<string, { at: number; found: FoundNumber[] }>>();

/**
 * The same search within 300 s is answered from memory (B §9): carriers limit how often one may ask. What it offers may be
 * gone by then; whoever uses it checks again.
 */
export async function searchInventory(
  inventory: NumberInventory,
  query: NumberQuery,
  now: Date,
  away: (carrier: string, error: unknown) => void,
): Promise<FoundNumber[]> {
  const kept = answers.get(inventory) ?? new Map<string, { at: number; found: FoundNumber[] }>();
  answers.set(inventory, kept);
  const key = JSON.stringify(
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const known = kept.get(key);
  if (known && now.getTime() - known.at < contract.searchFreshSeconds * 1000) return known.found;
  let whole = true;
  const found = await inventory.search(query, (carrier, error) => {
    whole = false;
    away(carrier, error);
  });
  if (!whole) return found; // the next search asks that carrier again
  kept.delete(key);
  kept.set(key, { at: now.getTime(), found });
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!); // the oldest entry
  return found;
}
