import type { ContactFilters, ContactRule } from '#contract/contacts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { invalid } from '../../platform/refuse.ts';
import { fieldFilter, fieldsFor } from '../fields/index.ts';
import { groupsById, plainGroupIds } from './groups/store-groups.ts';
import { labelIds, labelsById } from './labels/store-labels.ts';
import { masked } from './present.ts';
import { customId, whyNotRule, type AskedField } from './rules.ts';
import { contactIdColumn, type FilterFacts } from './store-filter.ts';

type Asker = Pick<TxCtx, 'tx' | 'companyId' | 'now'> &
  Pick<Ctx, 'may'> &
  Partial<Pick<Ctx, 'ignore'>>;
const noFields: ReadonlyMap<number, AskedField> = new Map();

/** The custom fields that a rule may ask. */
export async function askedFields(
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
): Promise<Map<number, AskedField>> {
  return new Map(
    (await fieldsFor(ctx, 7)).map((f) => [
      f.id,
      {
        id: f.id,
        type: f.type,
        choices: f.choices.map((c) => ({ id: c.id, value: c.value })),
        byDefault: f.default_value,
      },
    ]),
  );
}

/** Look up what filters name (virtual groups, custom fields) and check their rule. A group that is not there fits nobody's contacts. */
export async function resolveFilter(ctx: Asker, filters: ContactFilters): Promise<FilterFacts> {
  if (filters.rule) await checkRule(ctx, filters.rule);
  const group =
    filters.groupId === undefined
      ? undefined
      : (await groupsById(ctx.tx, ctx.companyId, [filters.groupId]))[0];
  if (filters.groupId !== undefined && !group) invalid({ groupId: 'This group does not exist.' });
  if (
    filters.labelId !== undefined &&
    !(await labelsById(ctx.tx, ctx.companyId, [filters.labelId])).length
  )
    invalid({ labelId: 'This label does not exist.' });
  const rule = group?.rule as ContactRule | null | undefined;
  const asksCustom = [...(rule?.all ?? []), ...(filters.rule?.all ?? [])].some(
    (line) => customId(line.field) !== null,
  );
  return {
    companyId: ctx.companyId,
    now: ctx.now,
    masked: masked(ctx),
    custom: asksCustom ? await askedFields(ctx) : noFields,
    rules: new Map(rule ? [[group!.id, rule]] : []),
    eav: await fieldFilter(ctx, 7, filters.eav, contactIdColumn),
  };
}

/** Refuse a rule that cannot be asked, at its lines. */
export async function checkRule(
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  rule: ContactRule,
): Promise<void> {
  const [custom, groups, labels] = [
    await askedFields(ctx),
    await plainGroupIds(ctx.tx, ctx.companyId),
    await labelIds(ctx.tx, ctx.companyId),
  ];
  const wrong = whyNotRule(rule, { custom, groups: new Set(groups), labels: new Set(labels) });
  if (Object.keys(wrong).length) invalid(wrong);
}
