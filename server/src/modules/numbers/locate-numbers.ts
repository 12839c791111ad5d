import { numbers as contract, type Answer, type Body } from '#contract';
import type { Ctx } from '../../platform/context.ts';
import { refuse } from '../../platform/refuse.ts';
import { CarrierRefused } from '../../ports/carrier.ts';
import type { FoundNumber, NumberQuery } from '../../ports/number-inventory.ts';
import { presentLocated } from './present.ts';
import { holdUntil } from './rules.ts';
import { searchInventory } from './search-inventory.ts';
import { holdNumbers, trimHolds, unavailableAmong, type Hold } from './store-holds.ts';

const MOST_HELD = contract.purchaseAtMost;
const ROUNDS = 6;

/** Find numbers nobody owns or holds, and hold them for whoever asks (A6.2). */
export async function locateNumbers(
  ctx: Ctx,
  body: Body<typeof contract.locateNumbers>,
): Promise<Answer<typeof contract.locateNumbers>> {
  const { exclude, limit, companyId: _, company_id: __, pattern, ...wanted } = body;
  const away: Away = new Map();
  const held = await findAndHold(
    ctx,
    { ...wanted, ...(pattern ? { pattern } : {}), limit },
    exclude ?? [],
    away,
  );
  return { data: held.map((hold) => presentLocated(hold, ctx.ports.carriers)), meta: metaOf(away) };
}

export async function locateNumbersInBulk(
  ctx: Ctx,
  body: Body<typeof contract.locateNumbersInBulk>,
): Promise<Answer<typeof contract.locateNumbersInBulk>> {
  const data = [];
  const shown: string[] = [];
  const away: Away = new Map();
  for (const { areaCode, count } of body.items) {
    const found = await findAndHold(
      ctx,
      { country: 'US', category: body.category, areaCode, match: 'Contains', limit: count },
      shown,
      away,
    );
    shown.push(...found.map((hold) => hold.number)); // the same area code twice means twice as many
    data.push({
      areaCode,
      count,
      found: found.map((hold) => presentLocated(hold, ctx.ports.carriers)),
      missing: count - found.length,
    });
  }
  return { data, meta: metaOf(away) };
}

/** Carriers that gave no numbers, and why, as a sentence. */
type Away = Map<string, string>;
const metaOf = (away: Away) => ({
  away: [...away].map(([carrier, reason]) => ({ carrier, reason })),
});

/** The inventory does not know who holds what here, so what it offers is sifted and asked for again until there is enough. What is answered is held for whoever asks. */
export async function findAndHold(
  ctx: Ctx,
  wanted: NumberQuery,
  shown: readonly string[],
  away: Away = new Map(),
): Promise<Hold[]> {
  const by = { companyId: ctx.companyId, userId: ctx.actor.userId, now: ctx.now };
  const exclude = new Set(shown);
  const held: Hold[] = [];
  for (let round = 0; round < ROUNDS && held.length < wanted.limit; round++) {
    const missing = wanted.limit - held.length;
    const offered = await search(
      ctx,
      { ...wanted, limit: missing + round * 20, exclude: [...exclude] },
      away,
    );
    if (!offered.length) break;
    for (const f of offered) exclude.add(f.number);
    held.push(
      ...(await ctx.db.system(async (tx) => {
        const gone = await unavailableAmong(
          tx,
          offered.map((f) => f.number),
          by,
        );
        return holdNumbers(tx, offered.filter((f) => !gone.has(f.number)).slice(0, missing), {
          ...by,
          category: wanted.category,
          until: holdUntil(ctx.now),
        });
      })),
    );
    if (offered.length < missing) break;
  }
  if (held.length) await ctx.db.system((tx) => trimHolds(tx, by, MOST_HELD));
  return held;
}

async function search(ctx: Ctx, query: NumberQuery, away: Away): Promise<FoundNumber[]> {
  try {
    return await searchInventory(ctx.ports.numbers, query, ctx.now, (carrier, error) => {
      ctx.log.warn({ err: error, carrier }, 'a carrier gave no numbers');
      away.set(
        carrier,
        error instanceof CarrierRefused
          ? error.message
          : `${carrier} did not answer. Its numbers are missing here.`,
      );
    });
  } catch (error) {
    ctx.log.warn({ err: error }, 'the number inventory did not answer');
    if (error instanceof CarrierRefused) refuse('carrier.refused', { reason: error.message });
    return refuse('carrier.unreachable');
  }
}
