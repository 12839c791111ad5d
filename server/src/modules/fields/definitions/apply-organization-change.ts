import { fields as contract } from '#contract';
import type { FieldChoice } from '#contract/fields/rules';
import type { Ctx } from '../../../platform/context.ts';
import { removeValuesOfField, replaceChoice } from '../values/store-field-values.ts';
import { publishNumberValues, type FieldSummary } from '../values/publish-number-values.ts';
import type { Replacement } from './choices.ts';
import { overridesOf, removeOverride } from './store-overrides.ts';

export interface OrganizationFieldChange {
  companyId: number;
  field: FieldSummary;
  after: FieldChoice[];
  replacements: Replacement[];
  gone: boolean;
  by: { userId: number | null; name: string };
}
/**
 * Job: applies a change of an organization's field to the values of one of its companies. Safe to
 * run twice.
 */
export async function applyOrganizationChange(
  ctx: Ctx,
  { field, after, replacements, gone, by }: OrganizationFieldChange,
): Promise<void> {
  await ctx.transaction(async (t) => {
    if (gone) {
      await publishNumberValues(t, field, null, after, by);
      if (field.entity_type_id !== 4) await removeValuesOfField(t.tx, t.companyId, field);
      await removeOverride(t.tx, t.companyId, field.id);
    } else {
      const own = (await overridesOf(t.tx, t.companyId, field.id))[0]?.choices;
      for (const { from, to } of replacements) {
        // The company's override keeps this choice.
        if (own?.some((c) => c.id === from)) continue;
        await publishNumberValues(t, field, { from, to }, after, by);
        await replaceChoice(t.tx, t.companyId, field, from, to);
      }
    }
    await t.publish(contract.fieldsChanged, {
      companyId: t.companyId,
      entityTypeId: field.entity_type_id,
      fieldId: field.id,
      change: gone ? 'deleted' : 'updated',
    });
  });
}
