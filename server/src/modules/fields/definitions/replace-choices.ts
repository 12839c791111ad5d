import { type FieldChoice } from '#contract/fields/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { countByChoice, replaceChoice } from '../values/store-field-values.ts';
import { publishNumberValues } from '../values/publish-number-values.ts';
import { choicesNeedingReplacement, type Replacement } from './choices.ts';
import { organizationOfField, type FieldRow } from './store.ts';
import { overridesOf } from './store-overrides.ts';
import { propagateToCompanies } from './record-field-change.ts';

// The system role: fields and tags of an organization apply to all of its companies.

/**
 * Replaces removed choices in all values. Fails with `field.choice_used` for those that need a
 * replacement.
 */
export async function replaceRemovedChoices(
  ctx: TxCtx,
  before: FieldRow,
  after: readonly FieldChoice[],
  replacements: readonly Replacement[],
  onlyThisCompany = false,
): Promise<void> {
  if (before.type !== 'enum') return;
  const everywhere = before.organization_id !== null && !onlyThisCompany;
  const used = everywhere
    ? await countByChoice(ctx.db.unscoped, { organizationId: organizationOfField(before) }, before)
    : await countByChoice(ctx.tx, ctx, before);
  const unresolved = choicesNeedingReplacement(before.choices, after, used, replacements);
  if (unresolved.length)
    fail(
      'field.choice_used',
      {},
      {
        choices: unresolved.map((c) => ({ id: c.id, value: c.value, used: c.used })),
        stay: after.map((c) => ({ id: c.id, value: c.value })),
      },
    );
  const stays = new Set(after.map((c) => c.id));
  const moves = replacements.filter(
    (r) => before.choices.some((c) => c.id === r.from) && !stays.has(r.from),
  );
  const overridden = everywhere
    ? (await overridesOf(ctx.tx, ctx.companyId, before.id))[0]?.choices
    : undefined;
  for (const { from, to } of moves) {
    if (overridden?.some((c) => c.id === from)) continue;
    await publishNumberValues(ctx, before, { from, to }, [...after]);
    await replaceChoice(ctx.tx, ctx.companyId, before, from, to);
  }
  if (everywhere && moves.length && before.entity_type_id !== 4)
    await propagateToCompanies(ctx, before, { replacements: moves, after });
}
