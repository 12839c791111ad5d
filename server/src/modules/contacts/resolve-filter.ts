import type { ContactFilters, ContactRule } from '#contract/contacts/schemas';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { fieldFilter, fieldsFor } from '../fields/index.ts';
import { groupsOfIds, listGroupIds } from './groups/store-groups.ts';
import { labelIds, labelsByIds } from './labels/store-labels.ts';
import { areDetailsMasked } from './present.ts';
import { customFieldId, ruleProblems, type FilterField } from './rules.ts';
import { contactIdColumn, type FilterContext } from './store-conditions.ts';

type FilterScope = Pick<TxCtx, 'tx' | 'companyId' | 'now'> &
  Pick<Ctx, 'may'> &
  Partial<Pick<Ctx, 'onUnknownField'>>;
const noFields: ReadonlyMap<number, FilterField> = new Map();

/** The custom fields that rules can use. */
export async function filterableFields(
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
): Promise<Map<number, FilterField>> {
  return new Map(
    (await fieldsFor(ctx, 7)).map((f) => [
      f.id,
      {
        id: f.id,
        type: f.type,
        choices: f.choices.map((c) => ({ id: c.id, value: c.value })),
        defaultValue: f.default_value,
      },
    ]),
  );
}

/**
 * Loads what filters refer to (groups with a rule, custom fields). Fails with 422 for unknown
 * groups, labels or invalid rules.
 */
export async function resolveFilter(
  ctx: FilterScope,
  filters: ContactFilters,
): Promise<FilterContext> {
  if (filters.rule) await requireValidRule(ctx, filters.rule);
  const group =
    filters.groupId === undefined
      ? undefined
      : (await groupsOfIds(ctx.tx, ctx.companyId, [filters.groupId]))[0];
  if (filters.groupId !== undefined && !group) invalid({ groupId: 'This group doesn’t exist.' });
  if (
    filters.labelId !== undefined &&
    !(await labelsByIds(ctx.tx, ctx.companyId, [filters.labelId])).length
  )
    invalid({ labelId: 'This label doesn’t exist.' });
  const rule = group?.rule as ContactRule | null | undefined;
  const asksCustom = [...(rule?.all ?? []), ...(filters.rule?.all ?? [])].some(
    (line) => customFieldId(line.field) !== null,
  );
  return {
    companyId: ctx.companyId,
    now: ctx.now,
    masked: areDetailsMasked(ctx),
    custom: asksCustom ? await filterableFields(ctx) : noFields,
    rules: new Map(group && rule ? [[group.id, rule]] : []),
    eav: await fieldFilter(ctx, 7, filters.eav, contactIdColumn),
  };
}

/** Fails with 422 at the lines of a rule that aren't valid. */
export async function requireValidRule(
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  rule: ContactRule,
): Promise<void> {
  const [custom, groups, labels] = [
    await filterableFields(ctx),
    await listGroupIds(ctx.tx, ctx.companyId),
    await labelIds(ctx.tx, ctx.companyId),
  ];
  const problems = ruleProblems(rule, { custom, groups: new Set(groups), labels: new Set(labels) });
  if (Object.keys(problems).length) invalid(problems);
}
