import { fields as contract, type Answer, type Body } from '#contract';
import type { FieldChoice } from '#contract/fields/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound, fail } from '../../../platform/errors.ts';
import type { Replacement } from './choices.ts';
import { presentField } from './present.ts';
import { readChoices, readDefault } from './resolve-field.ts';
import { recordFieldChange } from './record-field-change.ts';
import { replaceRemovedChoices } from './replace-choices.ts';
import { fieldRow, lockField, organizationFieldRow, type FieldRow } from './store.ts';
import {
  overridesOf,
  upsertOverride,
  removeOverride,
  type OverrideRow,
} from './store-overrides.ts';

/**
 * Overrides description, choices or default of the organization's field for this company (A23).
 * Parts left out stay unchanged. `field.not_organization` for the company's own fields.
 */
export async function overrideField(
  ctx: TxCtx,
  id: number,
  body: Body<typeof contract.overrideField>,
): Promise<Answer<typeof contract.overrideField>> {
  await lockField(ctx.tx, id);
  const row = (await fieldRow(ctx.tx, ctx.companyId, id)) ?? notFound();
  if (row.organization_id === null) return fail('field.not_organization');
  const inherited = (await organizationFieldRow(ctx.tx, row.organization_id, id)) ?? notFound();
  const existing = (await overridesOf(ctx.tx, ctx.companyId, id))[0];
  if (body.choices && row.type !== 'enum') invalid({ choices: 'Only enum fields have choices.' });
  const choices = await choicesOf(ctx, body.choices, inherited, existing);
  const effective = choices ?? inherited.choices;
  await replaceRemovedChoices(ctx, row, effective, body.replacements ?? [], true);
  const default_value = defaultOf(row.type, effective, body.defaultValue, existing);
  await upsertOverride(
    ctx.tx,
    ctx.companyId,
    id,
    {
      description:
        body.description === undefined ? (existing?.description ?? null) : body.description,
      default_value,
      has_default: body.defaultValue !== undefined || (existing?.has_default ?? false),
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

/** The override's choices; null: the organization's. */
async function choicesOf(
  ctx: TxCtx,
  input: Body<typeof contract.overrideField>['choices'],
  inherited: Pick<FieldRow, 'choices'>,
  existing: OverrideRow | undefined,
): Promise<FieldChoice[] | null> {
  if (input === undefined) return existing?.choices ?? null;
  if (input === null) return null;
  // The organization's choices keep their IDs, so that values mean the same in all companies.
  const own = (existing?.choices ?? []).filter(
    (choice) => !inherited.choices.some(({ id }) => id === choice.id),
  );
  const choices = await readChoices(ctx, input, [...inherited.choices, ...own]);
  if (!choices.length) invalid({ choices: 'Add at least one choice.' });
  return choices;
}
/** The override's default; null: none, also when its choice was removed. */
function defaultOf(
  type: FieldRow['type'],
  choices: readonly FieldChoice[],
  input: unknown,
  existing: OverrideRow | undefined,
): FieldRow['default_value'] {
  const value =
    input === undefined ? (existing?.default_value ?? null) : readDefault(type, choices, input);
  const isChoice = choices.some(({ id }) => id === value);
  return type === 'enum' && !isChoice ? null : value;
}

/**
 * Removes the override. Values with a choice that only the override had need a replacement.
 * `not_found` when there is no such override.
 */
export async function deleteFieldOverride(
  ctx: TxCtx,
  id: number,
  overrideId: number,
  replacements: readonly Replacement[],
): Promise<void> {
  await lockField(ctx.tx, id);
  const row = (await fieldRow(ctx.tx, ctx.companyId, id)) ?? notFound();
  if (row.override_id !== overrideId || row.organization_id === null) return notFound();
  const inherited = (await organizationFieldRow(ctx.tx, row.organization_id, id)) ?? notFound();
  await replaceRemovedChoices(ctx, row, inherited.choices, replacements, true);
  await removeOverride(ctx.tx, ctx.companyId, id);
  await recordFieldChange(ctx, row, 'override_deleted', row.name, presentField(row), undefined);
}
