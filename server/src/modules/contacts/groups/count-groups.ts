import type { ContactFilters, ContactRule } from '#contract/contacts/schemas';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { filterableFields, resolveFilter } from '../resolve-filter.ts';
import { customFieldId } from '../rules.ts';
import { contactCondition } from '../store-filter.ts';
import { ruleCondition } from '../store-rule.ts';
import { countExactly, type Counts } from '../store-lists.ts';
import { storedCounts, type GroupRow } from './store-groups.ts';

type FilterScope = Pick<TxCtx, 'tx' | 'companyId' | 'now'> & Pick<Ctx, 'may'>;

/** The stored counts of one group; 0: of all contacts. */
export const storedCountsOf = async (
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  groupId: number,
): Promise<Counts> =>
  mustBe(
    (await storedCounts(ctx.tx, ctx.companyId, [groupId])).get(groupId),
    'counts, which every asked group has',
  );

/** Exact counts of matching contacts: the stored ones where there are any. */
export async function countContactsFor(ctx: FilterScope, filters: ContactFilters): Promise<Counts> {
  const conditions = Object.entries(filters).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  if (!conditions.length) return storedCountsOf(ctx, 0);
  const context = await resolveFilter(ctx, filters);
  if (conditions.length === 1 && filters.groupId !== undefined && !context.rules.size)
    return storedCountsOf(ctx, filters.groupId);
  return countExactly(ctx.tx, contactCondition(filters, context), ctx.companyId);
}

/** Counts of groups: stored for groups without a rule, counted now for those with one. */
export async function countGroups(
  ctx: FilterScope,
  groups: readonly GroupRow[],
): Promise<Map<number, Counts>> {
  const counts = await storedCounts(
    ctx.tx,
    ctx.companyId,
    groups.filter((g) => g.rule === null).map((g) => g.id),
  );
  const rules = groups.filter((g) => g.rule !== null);
  const custom = rules.some((g) =>
    (g.rule as ContactRule).all.some((line) => customFieldId(line.field) !== null),
  )
    ? await filterableFields(ctx)
    : new Map<number, never>();
  for (const g of rules) {
    const rule = g.rule as ContactRule;
    counts.set(
      g.id,
      rule.all.length
        ? await countExactly(
            ctx.tx,
            ruleCondition(rule, {
              companyId: ctx.companyId,
              now: ctx.now,
              masked: false,
              custom,
              rules: new Map(),
              eav: [],
            }),
            ctx.companyId,
          )
        : await storedCountsOf(ctx, 0),
    );
  }
  return counts;
}
