import { numbers as contract, type Answer, type Body } from '#contract';
import type { Ctx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import { CarrierRejectedError } from '../../gateways/carrier.ts';
import type { AvailableNumber, NumberQuery } from '../../gateways/number-inventory.ts';
import { presentLocated } from './present.ts';
import { reservationExpiry } from './rules.ts';
import { searchInventory } from './search-inventory.ts';
import {
  reserveNumbers,
  trimReservations,
  unavailableNumbers,
  type Reservation,
} from './store-reservations.ts';

// The system role: reservations of numbers that no company owns yet.

const maxReserved = contract.maxPurchase;
const maxRounds = 6;

/**
 * Finds numbers that nobody owns or has reserved, and reserves them for the caller for ten minutes
 * (A6.2). Fails with `carrier.refused` or `carrier.unreachable`.
 */
export async function locateNumbers(
  ctx: Ctx,
  body: Body<typeof contract.locateNumbers>,
): Promise<Answer<typeof contract.locateNumbers>> {
  const { exclude, limit, companyId: _, company_id: __, pattern, ...wanted } = body;
  const unavailable: UnavailableCarriers = new Map();
  const reserved = await findAndReserve(
    ctx,
    { ...wanted, ...(pattern ? { pattern } : {}), limit },
    exclude ?? [],
    unavailable,
  );
  return {
    data: reserved.map((reservation) => presentLocated(reservation, ctx.gateways.carriers)),
    meta: metaOf(unavailable),
  };
}

/**
 * Finds and reserves so many numbers per area code, and reports how many are missing. Fails with
 * `carrier.refused` or `carrier.unreachable`.
 */
export async function locateNumbersInBulk(
  ctx: Ctx,
  body: Body<typeof contract.locateNumbersInBulk>,
): Promise<Answer<typeof contract.locateNumbersInBulk>> {
  const data = [];
  const excluded: string[] = [];
  const unavailable: UnavailableCarriers = new Map();
  for (const { areaCode, count } of body.items) {
    const found = await findAndReserve(
      ctx,
      { country: 'US', category: body.category, areaCode, match: 'Contains', limit: count },
      excluded,
      unavailable,
    );
    // An area code listed twice returns twice as many.
    excluded.push(...found.map((reservation) => reservation.number));
    data.push({
      areaCode,
      count,
      found: found.map((reservation) => presentLocated(reservation, ctx.gateways.carriers)),
      missing: count - found.length,
    });
  }
  return { data, meta: metaOf(unavailable) };
}

/** Carriers that returned no numbers, each with the reason as a sentence. */
type UnavailableCarriers = Map<string, string>;
const metaOf = (away: UnavailableCarriers) => ({
  away: [...away].map(([carrier, reason]) => ({ carrier, reason })),
});

/**
 * Searches and reserves for the caller. The inventory doesn't know what is owned or reserved here,
 * so its results are filtered, and it is searched again until there are enough, at most `maxRounds`
 * times. Adds carriers that didn't respond to `unavailable`. Fails with `carrier.refused` or
 * `carrier.unreachable`.
 */
export async function findAndReserve(
  ctx: Ctx,
  wanted: NumberQuery,
  excluded: readonly string[],
  unavailable: UnavailableCarriers = new Map(),
): Promise<Reservation[]> {
  const owner = { companyId: ctx.companyId, userId: ctx.actor.userId, now: ctx.now };
  const exclude = new Set(excluded);
  const reserved: Reservation[] = [];
  for (let round = 0; round < maxRounds && reserved.length < wanted.limit; round++) {
    const missing = wanted.limit - reserved.length;
    const offered = await search(
      ctx,
      { ...wanted, limit: missing + round * 20, exclude: [...exclude] },
      unavailable,
    );
    if (!offered.length) break;
    for (const f of offered) exclude.add(f.number);
    reserved.push(
      ...(await ctx.db.systemTransaction(async (tx) => {
        const taken = await unavailableNumbers(
          tx,
          offered.map((f) => f.number),
          owner,
        );
        return reserveNumbers(tx, offered.filter((f) => !taken.has(f.number)).slice(0, missing), {
          ...owner,
          category: wanted.category,
          until: reservationExpiry(ctx.now),
        });
      })),
    );
    if (offered.length < missing) break;
  }
  if (reserved.length)
    await ctx.db.systemTransaction((tx) => trimReservations(tx, owner, maxReserved));
  return reserved;
}

async function search(
  ctx: Ctx,
  query: NumberQuery,
  unavailable: UnavailableCarriers,
): Promise<AvailableNumber[]> {
  try {
    return await searchInventory(ctx.gateways.numbers, query, ctx.now, (carrier, error) => {
      ctx.log.warn({ err: error, carrier }, 'a carrier returned no numbers');
      unavailable.set(
        carrier,
        error instanceof CarrierRejectedError
          ? error.message
          : `${carrier} didn’t respond. Its numbers are missing here.`,
      );
    });
  } catch (error) {
    ctx.log.warn({ err: error }, 'the number inventory did not respond');
    if (error instanceof CarrierRejectedError) fail('carrier.refused', { reason: error.message });
    return fail('carrier.unreachable');
  }
}
