import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import { itemRollupQuestion } from './item-rollup-question.ts';
import type { ItemRow, ItemsAsked, Place } from './items-asked.ts';
import type { CompanyPlaced } from './placed-companies.ts';
import { companiesTable, onNumbersOf } from './store-companies.ts';
import { timeKey } from './store-dimensions.ts';
import { addedUpItems, sumsOfItems } from './store-item-rollups.ts';

/** Fewer items are counted one by one, about as fast. */
export const fewestItemsAddedUp = 10_000;

/**
 * How many came in and went out in a company, by key: from their sums where these are many and the
 * question asks by one thing, or else one by one. Both are the same.
 */
export async function countOfItems(
  tx: Tx,
  { id, organizationId, only }: Pick<CompanyPlaced, 'id' | 'organizationId' | 'only'>,
  asked: ItemsAsked,
  fewest = fewestItemsAddedUp,
): Promise<ItemRow[]> {
  const said = { companyId: id, organizationId, only: among(sql`i.number_id`, only) };
  const rollup = itemRollupQuestion(asked, only);
  const added = rollup && (await sumsOfItems(tx, said, asked, rollup, fewest));
  if (added) return added;
  const { rows } = await sql<ItemRow>`${itemsQuery(said, asked)}`.execute(tx);
  return rows;
}

/** The same of several companies in one statement, as `figuresOfCompanies` says of calls. */
export async function countOfItemsTogether(
  db: Tx,
  companies: readonly CompanyPlaced[],
  asked: ItemsAsked,
): Promise<ItemRow[]> {
  const said = {
    companyId: sql`a.company_id`,
    organizationId: sql`a.organization_id`,
    only: onNumbersOf(companies, sql`i.number_id`),
  };
  const rollup = itemRollupQuestion(asked, null);
  const counted = sql`select r.* from asked a cross join lateral (${itemsQuery(said, asked)}) r`;
  const each = rollup
    ? sql`select r.* from asked a
        cross join lateral (${addedUpItems(said, asked, rollup, sql`a.edition`)}) r
        where a.edition is not null
      union all ${counted} where a.edition is null`
    : counted;
  const { rows } = await sql<ItemRow>`
    with ${companiesTable(companies, asked, { sums: 'item' })}
    select "key", sum(inbound)::int inbound, sum(outbound)::int outbound
    from (${each}) each_company group by 1`.execute(db);
  return rows;
}

function itemsQuery(place: Place, asked: ItemsAsked): RawBuilder<unknown> {
  const { numberIds, userIds, direction, fromCampaign } = asked;
  return sql`
    select key::text "key", inbound, outbound from (
      select ${keyOf(place, asked)} key, (count(*) filter (where i.is_inbound))::int inbound,
        (count(*) filter (where not i.is_inbound))::int outbound
      from conversation_item i
      where i.company_id = ${place.companyId} and i.kind = ${asked.kind} and i.deleted_at is null
        and i.created_at >= ${asked.from} and i.created_at < ${asked.to}
        and ${place.only} and ${among(sql`i.number_id`, numberIds)}
        and ${among(sql`i.actor_id`, userIds)}
        and ${fromCampaign === null ? sql`true` : sql`is_of_campaign(i.source) = ${fromCampaign}`}
        and ${direction === 'all' ? sql`true` : sql`i.is_inbound = ${direction === 'inbound'}`}
      group by 1) p`;
}

const among = (of: RawBuilder<unknown>, ids: readonly number[] | null) =>
  ids === null ? sql`true` : sql`${of} = any(${[...ids]}::bigint[])`;

function keyOf(
  { companyId, organizationId }: Place,
  { group, tz }: ItemsAsked,
): RawBuilder<unknown> {
  switch (group) {
    case 'none':
      return sql`'all'`;
    case 'number':
      return sql`i.number_id`;
    case 'user':
      return sql`i.actor_id`;
    case 'company':
      return sql`${companyId}::bigint`;
    case 'business_unit':
      return sql`${organizationId}::bigint`;
    default:
      return timeKey(group, sql`i.created_at`, tz);
  }
}
