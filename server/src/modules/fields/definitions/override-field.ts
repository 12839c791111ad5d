import { fields as contract, type Answer, type Body } from '#contract';
import type { FieldChoice } from '#contract/fields/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound, fail } from '../../../platform/errors.ts';
import type { Replacement } from './choices.ts';
import { presentField } from './present.ts';
import {
  readChoices,
  readDefault,
  replaceRemovedChoices,
  recordFieldChange,
} from './save-field.ts';
import {
  fieldRow,
  lockField,
  organizationFieldRow,
  overridesOf,
  upsertOverride,
  removeOverride,
} from './store.ts';

/** Lay the company's own description, choices or default over its organization's field (A23). What is left out stays as it was. */
export async function overrideField(
  ctx: TxCtx,
  id: number,
  body: Body<typeof contract.overrideField>,
): Promise<Answer<typeof contract.overrideField>> {
  await lockField(ctx.tx, id);
  const row = (await fieldRow(ctx.tx, ctx.companyId, id)) ?? notFound();
  if (row.organization_id === null) fail('field.not_organization');
  const inherited = (await organizationFieldRow(ctx.tx, row.organization_id!, id)) ?? notFound();
  const existing = (await overridesOf(ctx.tx, ctx.companyId, id))[0];
  if (body.choices && row.type !== 'enum') invalid({ choices: 'Only enum fields have choices.' });
  // The organization's choices keep their ids, so that values and reports of all companies still mean the same.
  const choices: FieldChoice[] | null =
    body.choices === undefined
      ? (existing?.choices ?? null)
      : body.choices === null
        ? null
        : await readChoices(ctx, body.choices, [
            ...inherited.choices,
            ...(existing?.choices ?? []).filter(
              (c) => !inherited.choices.some((h) => h.id === c.id),
            ),
          ]);
  if (choices?.length === 0) invalid({ choices: 'Add at least one choice.' });
  await replaceRemovedChoices(
    ctx,
    row,
    choices ?? inherited.choices,
    body.replacements ?? [],
    true,
  );
  const has_default = body.defaultValue !== undefined || (existing?.has_default ?? false);
  let default_value =
    body.defaultValue !== undefined
      ? readDefault(row.type, choices ?? inherited.choices, body.defaultValue)
      : (existing?.default_value ?? null);
  if (
    row.type === 'enum' &&
    default_value !== null &&
    !(choices ?? inherited.choices).some((c) => c.id === default_value)
  )
    default_value = null;
  await upsertOverride(
    ctx.tx,
    ctx.companyId,
    id,
    {
      description:
        body.description === undefined ? (existing?.description ?? null) : body.description,
      default_value,
      has_default,
      choices,
    },
    ctx.actor.userId || null,
    ctx.now,
  );
  const after = (await fieldRow(ctx.tx, ctx.companyId, id)) ?? notFound();
  await recordFieldChange(
    ctx,
    after,
    existing ? 'override_updated' : 'override_created',
    row.name,
    presentField(row),
    presentField(after),
  );
  return { data: presentField(after) };
}

/** Back to what the organization says. Values whose choice only the override had need one of the organization's. */
export async function deleteFieldOverride(
  ctx: TxCtx,
  id: number,
  overrideId: number,
  replacements: readonly Replacement[],
): Promise<void> {
  await lockField(ctx.tx, id);
  const row = (await fieldRow(ctx.tx, ctx.companyId, id)) ?? notFound();
  if (row.override_id !== overrideId) notFound();
  const inherited = (await organizationFieldRow(ctx.tx, row.organization_id!, id)) ?? notFound();
  await replaceRemovedChoices(ctx, row, inherited.choices, replacements, true);
  await removeOverride(ctx.tx, ctx.companyId, id);
  await recordFieldChange(ctx, row, 'override_deleted', row.name, presentField(row), undefined);
}
