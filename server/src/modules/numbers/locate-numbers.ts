import { numbers as contract, type Answer, type Body } from '#contract';
import type { Ctx } from '../../platform/context.ts';
import { refuse } from '../../platform/refuse.ts';
import type { FoundNumber, NumberQuery } from '../../ports/number-inventory.ts';
import { presentLocated } from './present.ts';
import { holdUntil } from './rules.ts';
import { searchInventory } from './search-inventory.ts';
import { holdNumbers, trimHolds, unavailableAmong, type Hold } from './store-holds.ts';

const MOST_HELD = contract.purchaseAtMost;
const ROUNDS = 6;

/** Find numbers nobody owns or holds, and hold them for whoever asks (A6.2). */
export async function locateNumbers(ctx: Ctx, body: Body<typeof contract.locateNumbers>): Promise<Answer<typeof contract.locateNumbers>> {
  const { exclude, limit, companyId: _, company_id: __, pattern, ...wanted } = body;
  return { data: (await findAndHold(ctx, { ...wanted, ...(pattern ? { pattern } : {}), limit }, exclude ?? [])).map(presentLocated) };
}

export async function locateNumbersInBulk(ctx: Ctx, body: Body<typeof contract.locateNumbersInBulk>): Promise<Answer<typeof contract.locateNumbersInBulk>> {
  const data = [];
  const shown: string[] = [];
  for (const { areaCode, count } of body.items) {
    const found = await findAndHold(ctx, { country: 'US', category: body.category, areaCode, match: 'Contains', limit: count }, shown);
    shown.push(...found.map((hold) => hold.number)); // the same area code twice means twice as many
    data.push({ areaCode, count, found: found.map(presentLocated), missing: count - found.length });
  }
  return { data };
}

/** The inventory does not know who holds what here, so what it offers is sifted and asked for again until there is enough. What is answered is held for whoever asks. */
export async function findAndHold(ctx: Ctx, wanted: NumberQuery, shown: readonly string[]): Promise<Hold[]> {
  const by = { companyId: ctx.companyId, userId: ctx.actor.userId, now: ctx.now };
  const exclude = new Set(shown);
  const held: Hold[] = [];
  for (let round = 0; round < ROUNDS && held.length < wanted.limit; round++) {
    const missing = wanted.limit - held.length;
    const offered = await search(ctx, { ...wanted, limit: missing + round * 20, exclude: [...exclude] });
    if (!offered.length) break;
    for (const f of offered) exclude.add(f.number);
    held.push(...(await ctx.db.system(async (tx) => {
      const gone = await unavailableAmong(tx, offered.map((f) => f.number), by);
      return holdNumbers(tx, offered.filter((f) => !gone.has(f.number)).slice(0, missing), { ...by, category: wanted.category, until: holdUntil(ctx.now) });
    })));
    if (offered.length < missing) break;
  }
  if (held.length) await ctx.db.system((tx) => trimHolds(tx, by, MOST_HELD));
  return held;
}

async function search(ctx: Ctx, query: NumberQuery): Promise<FoundNumber[]> {
  try {
    return await searchInventory(ctx.ports.numbers, query, ctx.now);
  } catch (error) {
    ctx.log.warn({ err: error }, 'the number inventory did not answer');
    return refuse('carrier.unreachable');
  }
}
