import { fields as contract } from '#contract';
import type { FieldChoice } from '#contract/field-rules';
import type { Ctx } from '../../../platform/context.ts';
import { dropValuesOfField, replaceChoice } from '../values/store.ts';
import { tellNumbers, type ToldField } from '../values/tell-numbers.ts';
import type { Replacement } from './choices.ts';
import { overridesOf, removeOverride } from './store.ts';

export interface Followed {
  companyId: number;
  field: ToldField;
  after: FieldChoice[];
  replacements: Replacement[];
  gone: boolean;
  by: { userId: number | null; name: string };
}
/** What an organization did to its field, done to the values of one more of its companies. The second time is boring. */
export async function followOrganization(
  ctx: Ctx,
  { field, after, replacements, gone, by }: Followed,
): Promise<void> {
  await ctx.transaction(async (t) => {
    if (gone) {
      await tellNumbers(t, field, null, after, by);
      if (field.entity_type_id !== 4) await dropValuesOfField(t.tx, t.companyId, field);
      await removeOverride(t.tx, t.companyId, field.id);
    } else {
      const own = (await overridesOf(t.tx, t.companyId, field.id))[0]?.choices;
      for (const { from, to } of replacements) {
        // A choice that the company keeps in its own list is not the organization's to take.
        if (own?.some((c) => c.id === from)) continue;
        await tellNumbers(t, field, { from, to }, after, by);
        await replaceChoice(t.tx, t.companyId, field, from, to);
      }
    }
    await t.say(contract.fieldsChanged, {
      companyId: t.companyId,
      entityTypeId: field.entity_type_id,
      fieldId: field.id,
      change: gone ? 'deleted' : 'updated',
    });
  });
}
