import { createHash } from 'node:crypto';
import { itemGroups, type ItemGroup, type ItemType } from '#contract/analytics/dashboard/rules';
import {
  callAnalyticsLimits,
  isTimeGroup,
  type CallGroup,
} from '#contract/analytics/call-analytics/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import type { CompanyAsked } from '../query/companies-asked.ts';
import { countItems, type ItemCounts } from '../query/count-items.ts';
import { keyOf, labelIn, labelOf, pointsOf } from '../query/present.ts';
import type { Question } from '../query/question.ts';
import { hiddenIn, maskedNames } from '../query/shown-rows.ts';
import type { Figures } from './figures.ts';

const kinds = { messages: 'message', voicemails: 'voicemail', fax: 'fax' } as const;
const isItemGroup = (group: CallGroup): group is ItemGroup =>
  (itemGroups as readonly CallGroup[]).includes(group);
const nothing = (): ItemCounts => ({ total: 0, inbound: 0, outbound: 0 });

/**
 * How many texts, voicemails or faxes came in and went out, by the question’s group. Rows of time
 * are in its order and without gaps, others with the most first. Fails with a field error for a
 * group that only calls have.
 */
export async function itemFigures(
  ctx: TxCtx,
  type: ItemType,
  question: Question,
  companies: readonly CompanyAsked[],
): Promise<Figures> {
  const { group, range } = question;
  if (!isItemGroup(group)) return invalid({ groupBy: `Group by one of ${itemGroups.join(', ')}.` });
  const asked = { ...question, group };
  const counted = await countItems(ctx, kinds[type], asked, companies);
  const found = [...counted.rows.values()];
  const shown = new Map(
    found.map(({ key: stored, label, company, counts }) => {
      const key = keyOf(group, stored);
      return [
        key,
        { key, label: labelIn(company, labelOf(group, key, label)), values: { ...counts } },
      ];
    }),
  );
  const fixed = isTimeGroup(group) ? pointsOf(group, range) : group === 'none' ? ['all'] : [];
  for (const key of fixed)
    if (!shown.has(key))
      shown.set(key, { key, label: labelOf(group, key, null), values: { ...nothing() } });
  const sorted = [...shown.values()].toSorted((a, b) =>
    fixed.length
      ? fixed.indexOf(a.key) - fixed.indexOf(b.key)
      : b.values.total - a.values.total || (a.key < b.key ? -1 : 1),
  );
  const { companies: placed } = counted;
  const names = await maskedNames(ctx, sorted, placed, hiddenIn(ctx, placed));
  const rows = sorted.map((row, i) => ({ ...row, ...names[i] }));
  const totals = found.reduce(
    (sum, { counts }) => ({
      total: sum.total + counts.total,
      inbound: sum.inbound + counts.inbound,
      outbound: sum.outbound + counts.outbound,
    }),
    nothing(),
  );
  return {
    data: rows.slice(0, callAnalyticsLimits.rows),
    totals: { ...totals },
    rowCount: totals.total,
    companies: counted.companies,
    checksum: createHash('sha256').update(JSON.stringify(rows)).digest('hex'),
  };
}
