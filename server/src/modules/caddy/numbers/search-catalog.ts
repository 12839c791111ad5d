import { randomInt } from 'node:crypto';
import type { Answer, caddy as contract, Query } from '#contract';
import { areaCodes } from '#contract/area-codes';
import { catalogPageSize } from '#contract/caddy/rules';
import type { Ctx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { findAndReserve } from '../../numbers/index.ts';
import { presentListed } from './present-number.ts';

/** Area codes that a number is looked for in when the person names none. */
const tries = 4;
/** Of so many found, one is drawn. */
const drawn = 5;

/** A page of free numbers; fewer than a page: there are no more. @throws ApiError the carrier’s */
export async function searchCatalog(
  ctx: Ctx,
  { areaCode, state, category, contains, page }: Query<typeof contract.searchCaddyCatalog>,
): Promise<Answer<typeof contract.searchCaddyCatalog>> {
  const query: Parameters<typeof findAndReserve>[1] = {
    country: 'US',
    category: category === 'toll-free' ? 1 : 2,
    areaCode,
    state,
    pattern: contains,
    match: 'Contains',
    limit: catalogPageSize,
  };
  const seen: string[] = [];
  for (let n = 1; ; n++) {
    const found = await findAndReserve(ctx, query, seen);
    if (n === page || !found.length) return { data: found.map(presentListed) };
    seen.push(...found.map(({ number }) => number));
  }
}

/** One number that is free and comes with every plan. @throws ApiError `caddy.none_free` */
export async function randomNumber(
  ctx: Ctx,
  { areaCode }: Query<typeof contract.getRandomCaddyNumber>,
): Promise<Answer<typeof contract.getRandomCaddyNumber>> {
  const american = [...areaCodes()].flatMap(([code, { country }]) =>
    country === 'US' ? [code] : [],
  );
  for (let n = 0; n < (areaCode ? 1 : tries); n++) {
    const place = areaCode ?? american[randomInt(american.length)];
    const query = { country: 'US', category: 2, match: 'Contains', limit: drawn } as const;
    const found = await findAndReserve(ctx, { ...query, areaCode: place }, []);
    const fitting = found.map(presentListed).filter(({ tier }) => tier === 'free');
    const one = fitting.length ? fitting[randomInt(fitting.length)] : undefined;
    if (one) return { data: one };
  }
  return fail('caddy.none_free');
}
