import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { NumberInventory } from '../../src/gateways/number-inventory.ts';

/** What every number inventory must do. */
export function testInventoryConformance(
  open: () => Promise<{ numbers: NumberInventory; providerIds: readonly number[] }>,
): void {
  const query = {
    country: 'US',
    category: 2,
    areaCode: '415',
    match: 'Contains',
    limit: 5,
  } as const;
  it('returns only numbers that match, up to the limit', async () => {
    const { numbers, providerIds } = await open();
    const found = await numbers.search(query);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(5);
    for (const f of found)
      expect([
        f.number.slice(0, 5),
        providerIds.includes(f.providerId),
        f.features.includes('voice'),
      ]).toEqual(['+1415', true, true]);
    const other = await numbers.search({ ...query, exclude: found.map((f) => f.number) });
    expect(other.some((f) => found.some((g) => g.number === f.number))).toBe(false);
    expect(
      (await numbers.search({ ...query, category: 1, areaCode: '888' })).every((f) =>
        f.number.startsWith('+1888'),
      ),
    ).toBe(true);
    for (const f of await numbers.search({ ...query, pattern: '55', match: 'Ends with' }))
      expect(f.number).toMatch(/55$/);
  });
  it('an order is idempotent by key, another key gets “taken”, and releasing is idempotent', async () => {
    const { numbers } = await open();
    const { number } = (await numbers.search(query))[0]!;
    const [mine, other] = [randomUUID(), randomUUID()];
    const first = await numbers.order(number, mine);
    expect(first).toMatchObject({ state: 'ordered', found: { number } });
    expect(await numbers.order(number, mine)).toMatchObject({
      state: 'ordered',
      providerRef: (first as { providerRef: string }).providerRef,
    });
    expect(await numbers.order(number, other)).toEqual({ state: 'taken' });
    await numbers.release(number);
    await numbers.release(number);
    expect(await numbers.order(number, other)).toMatchObject({ state: 'ordered' });
    await numbers.release(number);
  });
}
