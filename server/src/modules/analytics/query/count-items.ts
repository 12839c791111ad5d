import type { ItemGroup } from '#contract/analytics/dashboard/rules';
import type { TxCtx } from '../../../platform/context.ts';
import type { CompanyAsked } from './companies-asked.ts';
import { eachCompany } from './each-company.ts';
import type { ItemsAsked } from './items-asked.ts';
import { namesOfKeys } from './names-of-keys.ts';
import { placedCompanies, type CompanyPlaced } from './placed-companies.ts';
import type { Question } from './question.ts';
import { spanOf } from './store-figures-of-calls.ts';
import { countOfItems, countOfItemsTogether } from './store-items.ts';

// The system role: one statement counts several companies, as of calls (`countCalls`).

/** How many texts, voicemails or faxes came in and went out. */
export interface ItemCounts {
  total: number;
  inbound: number;
  outbound: number;
}
/** A row of them. */
interface ItemRow {
  key: string | null;
  label: string | null;
  /** As of calls (`CountedRow`). */
  company: string | null;
  counts: ItemCounts;
}

/** How many there are by key, and in whose companies. */
interface ItemsCounted {
  rows: Map<string | null, ItemRow>;
  companies: readonly CompanyPlaced[];
}

/**
 * Counts texts, voicemails or faxes of a question in each of the companies and adds them up. Of its
 * filters only direction, numbers, people and campaigns matter.
 */
export async function countItems(
  ctx: TxCtx,
  kind: ItemsAsked['kind'],
  question: Question & { group: ItemGroup },
  companies: readonly CompanyAsked[],
): Promise<ItemsCounted> {
  const { group, tz, filters, range, fromCampaign } = question;
  const rows: ItemsCounted['rows'] = new Map();
  const placed = await placedCompanies(ctx, question, companies);
  const asked: ItemsAsked = {
    kind,
    ...spanOf(range, tz),
    tz,
    range,
    group,
    direction: filters.direction,
    numberIds: filters.number_ids ?? null,
    userIds: filters.user_ids ?? null,
    fromCampaign: fromCampaign ?? null,
  };
  if (placed.length > 1) {
    const tx = ctx.db.unscoped;
    const found = await countOfItemsTogether(tx, placed, asked);
    await addFound({ tx, db: ctx.db }, placed, group, found, rows);
  } else
    await eachCompany(ctx, placed, async (there, company) => {
      const found = await countOfItems(there.tx, company, asked);
      await addFound(there, [company], group, found, rows);
    });
  return { rows, companies: placed };
}

async function addFound(
  ctx: Pick<TxCtx, 'tx' | 'db'>,
  companies: readonly CompanyPlaced[],
  group: ItemGroup,
  found: Awaited<ReturnType<typeof countOfItems>>,
  rows: ItemsCounted['rows'],
): Promise<void> {
  const keys = found.flatMap(({ key }) => key ?? []);
  const names = await namesOfKeys(ctx, companies, group, keys);
  for (const { key, inbound, outbound } of found)
    rows.set(key, {
      key,
      label: (key === null ? null : names.get(key)?.name) ?? null,
      company: (key === null ? null : names.get(key)?.company) ?? null,
      counts: { total: inbound + outbound, inbound, outbound },
    });
}
