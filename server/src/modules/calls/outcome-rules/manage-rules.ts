import { outcomeRules as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, invalid, notFound } from '../../../platform/errors.ts';
import { listsOf, lockLists, type PhraseListRow } from '../phrases/store.ts';
import { deleteRule, insertRule, patchRule, rulesOf, type RuleRow } from './store.ts';

type Rule = Answer<typeof contract.createOutcomeRule>['data'];
type Wanted = Body<typeof contract.createOutcomeRule>;
const MOST_RULES = 50;

function presentRule(row: RuleRow, lists: readonly PhraseListRow[]): Rule {
  const list = lists.find(({ id }) => id === row.phrase_list_id);
  return {
    id: row.id,
    name: row.name,
    is_on: row.is_on,
    phrase_list_id: row.phrase_list_id,
    phrase_list: list ? { id: list.id, name: list.name } : null,
    min_talk_seconds: row.min_talk_seconds,
    direction: row.direction,
    sets: {
      outcome_tag: row.outcome_tag,
      department: row.department,
      qualified: row.qualified,
      lead: row.lead,
    },
    set_count: row.set_count,
    last_set_at: row.last_set_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/** The company's rules in the order they run. */
export async function listOutcomeRules(
  ctx: TxCtx,
): Promise<Answer<typeof contract.listOutcomeRules>> {
  const lists = await listsOf(ctx.tx, ctx.companyId);
  const rows = await rulesOf(ctx.tx, ctx.companyId);
  return { data: rows.map((row) => presentRule(row, lists)) };
}

/** Fails with a field error for a list that doesn't exist; null needs none. */
export function requireList(listId: number | null, lists: readonly PhraseListRow[]): void {
  if (listId !== null && !lists.some(({ id }) => id === listId))
    invalid({ phrase_list_id: 'This phrase list doesn’t exist.' });
}

const columnsOf = ({ sets, ...rest }: Wanted) => ({ ...rest, ...sets });

/** Adds a rule. Fails with `outcome_rule.too_many`, and at the field for an unknown list. */
export async function createOutcomeRule(
  ctx: TxCtx,
  body: Wanted,
): Promise<Answer<typeof contract.createOutcomeRule>> {
  const { tx, companyId } = ctx;
  await lockLists(tx, companyId);
  if ((await rulesOf(tx, companyId)).length >= MOST_RULES)
    fail('outcome_rule.too_many', { most: MOST_RULES });
  const lists = await listsOf(tx, companyId);
  requireList(body.phrase_list_id, lists);
  const row = await insertRule(tx, {
    company_id: companyId,
    ...columnsOf(body),
    created_by: ctx.actor.userId || null,
    created_at: ctx.now,
  });
  await audit(ctx, 'outcome_rule.created', `outcome_rule:${row.id}`, { after: factsOf(row) });
  await ctx.publish(contract.outcomeRulesChanged, { companyId });
  return { data: presentRule(row, lists) };
}

/** Changes a rule. Fails with `not_found`, and at the field for an unknown list. */
export async function updateOutcomeRule(
  ctx: TxCtx,
  id: number,
  body: Wanted,
): Promise<Answer<typeof contract.updateOutcomeRule>> {
  const { tx, companyId } = ctx;
  await lockLists(tx, companyId);
  const before = (await rulesOf(tx, companyId)).find((one) => one.id === id) ?? notFound();
  const lists = await listsOf(tx, companyId);
  requireList(body.phrase_list_id, lists);
  const row = (await patchRule(tx, companyId, id, columnsOf(body))) ?? notFound();
  await audit(ctx, 'outcome_rule.updated', `outcome_rule:${id}`, {
    before: factsOf(before),
    after: factsOf(row),
  });
  await ctx.publish(contract.outcomeRulesChanged, { companyId });
  return { data: presentRule(row, lists) };
}

/** Deletes a rule. Fails with `not_found`. */
export async function deleteOutcomeRule(ctx: TxCtx, id: number): Promise<void> {
  const { name } = (await deleteRule(ctx.tx, ctx.companyId, id)) ?? notFound();
  await audit(ctx, 'outcome_rule.deleted', `outcome_rule:${id}`, { before: { name } });
  await ctx.publish(contract.outcomeRulesChanged, { companyId: ctx.companyId });
}

const factsOf = (row: RuleRow) => ({
  ...{ name: row.name, is_on: row.is_on, phrase_list_id: row.phrase_list_id },
  ...{ min_talk_seconds: row.min_talk_seconds, direction: row.direction },
  ...{ outcome_tag: row.outcome_tag, department: row.department },
  ...{ qualified: row.qualified, lead: row.lead },
});
