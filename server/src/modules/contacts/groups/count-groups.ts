import type { ContactFilters, ContactRule } from '#contract/contacts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { askedFields, resolveFilter } from '../resolve-filter.ts';
import { customId } from '../rules.ts';
import { contactCondition, ruleCondition } from '../store-filter.ts';
import { countExactly, type Counts } from '../store-lists.ts';
import { keptCounts, type GroupRow } from './store-groups.ts';

type Asker = Pick<TxCtx, 'tx' | 'companyId' | 'now'> & Pick<Ctx, 'may'>;

/** How many fit, exactly: as kept where counts are kept, else counted. */
export async function countFor(ctx: Asker, filters: ContactFilters): Promise<Counts> {
  const asked = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '');
  if (!asked.length) return (await keptCounts(ctx.tx, ctx.companyId, [0])).get(0)!;
  const facts = await resolveFilter(ctx, filters);
  if (asked.length === 1 && filters.groupId !== undefined && !facts.rules.size)
    return (await keptCounts(ctx.tx, ctx.companyId, [filters.groupId])).get(filters.groupId)!;
  return countExactly(ctx.tx, contactCondition(filters, facts), ctx.companyId);
}

/** The counts of groups: kept for those that list contacts, counted now for those that follow a rule. */
export async function countGroups(
  ctx: Asker,
  groups: readonly GroupRow[],
): Promise<Map<number, Counts>> {
  const counts = await keptCounts(
    ctx.tx,
    ctx.companyId,
    groups.filter((g) => g.rule === null).map((g) => g.id),
  );
  const rules = groups.filter((g) => g.rule !== null);
  const custom = rules.some((g) =>
    (g.rule as ContactRule).all.some((line) => customId(line.field) !== null),
  )
    ? await askedFields(ctx)
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
        : (await keptCounts(ctx.tx, ctx.companyId, [0])).get(0)!,
    );
  }
  return counts;
}
