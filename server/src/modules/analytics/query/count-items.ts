import type { ItemGroup } from '#contract/analytics/dashboard/rules';
import type { TxCtx } from '../../../platform/context.ts';
import type { CompanyAsked } from './companies-asked.ts';
import { eachCompany } from './each-company.ts';
import { namesOfKeys } from './names-of-keys.ts';
import type { Question } from './question.ts';
import { spanOf } from './store-figures-of-calls.ts';
import { countOfItems, type ItemsAsked } from './store-items.ts';
import { unitOf } from './store-names.ts';

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
  counts: ItemCounts;
}

/**
 * Counts texts, voicemails or faxes of a question in each of the companies and adds them up. Of its
 * filters only direction, numbers and people matter.
 */
export async function countItems(
  ctx: TxCtx,
  kind: ItemsAsked['kind'],
  question: Question & { group: ItemGroup },
  companies: readonly CompanyAsked[],
): Promise<Map<string | null, ItemRow>> {
  const { group, tz, filters, businessUnitIds } = question;
  const rows = new Map<string | null, ItemRow>();
  await eachCompany(ctx, companies, async (there, { id, only }) => {
    const organizationId = await unitOf(there.tx, id);
    if (businessUnitIds.length && !businessUnitIds.includes(organizationId ?? 0)) return;
    const found = await countOfItems(there.tx, {
      companyId: id,
      organizationId,
      only,
      kind,
      ...(await spanOf(there.tx, question.range, tz)),
      tz,
      group,
      direction: filters.direction,
      numberIds: filters.number_ids ?? null,
      userIds: filters.user_ids ?? null,
    });
    const keys = found.flatMap(({ key }) => key ?? []);
    const names = await namesOfKeys(there, { id, organizationId }, group, keys);
    for (const { key, inbound, outbound } of found) {
      const row = rows.get(key) ?? {
        key,
        label: key === null ? null : (names.get(key) ?? null),
        counts: { total: 0, inbound: 0, outbound: 0 },
      };
      row.counts.total += inbound + outbound;
      row.counts.inbound += inbound;
      row.counts.outbound += outbound;
      rows.set(key, row);
    }
  });
  return rows;
}
