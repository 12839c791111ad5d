import { fields as contract, type Answer, type Body } from '#contract';
import { keyOfName } from '#contract/fields/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound, fail } from '../../../platform/errors.ts';
import { countFilled, hasDuplicates } from '../values/store-field-values.ts';
import { requireEntityType } from './list-fields.ts';
import { presentField } from './present.ts';
import {
  fieldRow,
  fieldRows,
  lockField,
  insertField,
  organizationFieldRow,
  patchField,
  type FieldInput,
  type FieldRow,
} from './store.ts';
import { organizationIdOf } from '../organizations.ts';
import { replaceRemovedChoices } from './replace-choices.ts';
import { recordFieldChange } from './record-field-change.ts';
import { resolveField } from './resolve-field.ts';

// The system role: fields and tags of an organization apply to all of its companies.

/** Per object type, including the organization's fields. */
const MOST_FIELDS = 200;

/**
 * Creates a field of the company, or, for organization administrators, of all its companies. Fails
 * with a field error when there are too many, or the key is taken.
 */
export async function createField(
  ctx: TxCtx,
  type: string,
  body: Body<typeof contract.createField>,
): Promise<Answer<typeof contract.createField>> {
  const entityTypeId = requireEntityType(type);
  const organizationId =
    body.scope === 'organization' || entityTypeId === 4 ? await requireOrganization(ctx) : null;
  const existing = await fieldRows(ctx.tx, ctx.companyId, { entityTypeId });
  if (existing.length >= MOST_FIELDS)
    invalid({ name: `You can have at most ${MOST_FIELDS} custom fields. Delete one first.` });
  const key = body.key ?? uniqueKey(keyOfName(body.name), existing);
  if (existing.some((f) => f.key === key)) invalid({ key: 'Another field has this key.' });
  const resolved = await resolveField(ctx, entityTypeId, body, {
    type: body.type,
    choices: [],
    default_value: null,
    is_unique: false,
  });
  const id = await insertField(
    ctx.tx,
    organizationId === null ? { companyId: ctx.companyId } : { organizationId },
    {
      entity_type_id: entityTypeId,
      key,
      name: body.name,
      description: body.description ?? '',
      type: body.type,
      choices: resolved.choices,
      default_value: resolved.default_value,
      is_required: body.is_required ?? false,
      is_unique: resolved.is_unique,
      is_visible_in_list: body.is_visible_in_list ?? false,
      is_filterable: body.is_filterable ?? true,
      ai: definedOnly(body.ai ?? {}),
    },
    ctx.actor.userId || null,
    ctx.now,
  );
  if (id === undefined) return invalid({ key: 'Another field has this key.' });
  const created = (await fieldRow(ctx.tx, ctx.companyId, id)) ?? notFound();
  await recordFieldChange(
    ctx,
    created,
    'created',
    `${created.name} (${created.type})`,
    undefined,
    presentField(created),
  );
  return { data: presentField(created) };
}

/**
 * Changes a field. Its type is fixed once objects have values; removed choices in use need
 * replacements (`field.choice_used`).
 */
export async function updateField(
  ctx: TxCtx,
  type: string,
  id: number,
  body: Body<typeof contract.updateField>,
): Promise<Answer<typeof contract.updateField>> {
  const { replacements = [], ...changes } = body;
  await lockField(ctx.tx, id);
  const before = (await withoutOverride(ctx, id)) ?? notFound();
  if (before.entity_type_id !== requireEntityType(type)) notFound();
  if (before.organization_id !== null) await requireOrganization(ctx);
  const whose = before.organization_id === null ? ctx : { organizationId: before.organization_id };
  const db = before.organization_id === null ? ctx.tx : ctx.db.unscoped;
  if (changes.type !== undefined && changes.type !== before.type) {
    const filled = await countFilled(db, whose, before);
    if (filled)
      invalid({
        type: `The type can’t be changed because ${filled === 1 ? 'one object has' : `${filled.toLocaleString('en-US')} objects have`} a value. Create another field instead.`,
      });
  }
  const resolved = await resolveField(ctx, before.entity_type_id, changes, before, replacements);
  if (resolved.is_unique && !before.is_unique && (await hasDuplicates(db, whose, before)))
    invalid({ is_unique: 'Some objects have the same value. Change those first.' });
  await replaceRemovedChoices(ctx, before, resolved.choices, replacements);
  const patch: Partial<FieldInput> = {
    ...(changes.name !== undefined ? { name: changes.name } : {}),
    ...(changes.description !== undefined ? { description: changes.description } : {}),
    ...(changes.type !== undefined ? { type: changes.type } : {}),
    choices: resolved.choices,
    default_value: resolved.default_value,
    is_unique: resolved.is_unique,
    ...(changes.is_required !== undefined ? { is_required: changes.is_required } : {}),
    ...(changes.is_visible_in_list !== undefined
      ? { is_visible_in_list: changes.is_visible_in_list }
      : {}),
    ...(changes.is_filterable !== undefined ? { is_filterable: changes.is_filterable } : {}),
    ...(changes.ai !== undefined ? { ai: { ...before.ai, ...definedOnly(changes.ai) } } : {}),
  };
  await patchField(ctx.tx, before, patch, ctx.now);
  const after = (await withoutOverride(ctx, id)) ?? notFound();
  const [was, is] = [presentField(before), presentField(after)];
  const changed = (Object.keys(is) as (keyof contract.Field)[]).filter(
    (k) => k !== 'updated_at' && JSON.stringify(was[k]) !== JSON.stringify(is[k]),
  );
  if (changed.length)
    await recordFieldChange(
      ctx,
      after,
      'updated',
      changed.map((k) => changeLabels[k] ?? k).join(', '),
      pick(was, changed),
      pick(is, changed),
    );
  return { data: presentField((await fieldRow(ctx.tx, ctx.companyId, id)) ?? notFound()) };
}
/** The field without this company's override. */
async function withoutOverride(ctx: TxCtx, id: number): Promise<FieldRow | undefined> {
  const row = await fieldRow(ctx.tx, ctx.companyId, id);
  if (!row || row.organization_id === null || row.override_id === null) return row;
  return {
    ...row,
    ...(await organizationFieldRow(ctx.tx, row.organization_id, id)),
    override_id: null,
  };
}
const changeLabels: Partial<Record<keyof contract.Field, string>> = {
  name: 'name',
  description: 'description',
  type: 'type',
  choices: 'choices',
  defaultValue: 'default',
  is_required: 'required',
  is_unique: 'unique',
  is_visible_in_list: 'shown in lists',
  is_filterable: 'filter',
  ai: 'AI',
  overriding: 'override',
};
const pick = (from: object, keys: readonly string[]) =>
  Object.fromEntries(keys.map((k) => [k, (from as Record<string, unknown>)[k]]));
const definedOnly = (ai: object): FieldRow['ai'] =>
  Object.fromEntries(Object.entries(ai).filter(([, v]) => v !== undefined));
/** `stage`, then `stage_2` … */
function uniqueKey(key: string, existing: readonly FieldRow[]): string {
  for (let n = 1; ; n++) {
    const wanted = n === 1 ? key : `${key.slice(0, 56)}_${n}`;
    if (!existing.some((f) => f.key === wanted)) return wanted;
  }
}

/**
 * The company's organization, for its administrators. Fails with `role.forbidden`, or 422 without
 * an organization.
 */
export async function requireOrganization(ctx: TxCtx): Promise<number> {
  if (ctx.may('organization.edit') === 'none') fail('role.forbidden');
  return (
    (await organizationIdOf(ctx.tx, ctx.companyId)) ??
    invalid({ scope: 'This company doesn’t belong to an organization.' })
  );
}
