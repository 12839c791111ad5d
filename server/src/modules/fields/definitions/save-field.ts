import { fields as contract, type Answer, type Body } from '#contract';
import {
  canBeUnique,
  isBlank,
  keyOfName,
  readValue,
  type EntityTypeId,
  type FieldChoice,
  type FieldValueType,
} from '#contract/fields/rules';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound, fail } from '../../../platform/errors.ts';
import { countByChoice, countFilled, hasDuplicates, replaceChoice } from '../values/store.ts';
import { publishNumberValues } from '../values/publish-number-values.ts';
import {
  resolveChoices,
  choicesNeedingReplacement,
  type Replacement,
  type ChoiceInput,
} from './choices.ts';
import { requireEntityType } from './list-fields.ts';
import { presentField } from './present.ts';
import {
  companyIdsOf,
  fieldRow,
  fieldRows,
  nextIds,
  lockField,
  insertField,
  insertHistory,
  organizationFieldRow,
  organizationIdOf,
  overridesOf,
  patchField,
  type FieldInput,
  type FieldRow,
} from './store.ts';

/** Fields one type of object may have, the organization's included. */
const MOST_FIELDS = 200;
type FieldBody = Omit<Body<typeof contract.updateField>, 'replacements'>;

/** Define a field. It is the company's, or, for those who administer the organization, all its companies'. */
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
  if (id === undefined) invalid({ key: 'Another field has this key.' });
  const created = (await fieldRow(ctx.tx, ctx.companyId, id!)) ?? notFound();
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

/** Change a field. The type stays once objects have values; choices in use go only when something takes their place. */
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
/** The field without what this company laid over it: an organization's field is changed as the organization has it. */
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

/** What belongs to the organization is changed by those who administer it, in a company that is part of it. */
export async function requireOrganization(ctx: TxCtx): Promise<number> {
  if (ctx.may('organization.edit') === 'none') fail('role.forbidden');
  return (
    (await organizationIdOf(ctx.tx, ctx.companyId)) ??
    invalid({ scope: 'This company doesn’t belong to an organization.' })
  );
}

type ResolvedField = {
  choices: FieldChoice[];
  default_value: FieldValueType | null;
  is_unique: boolean;
};
/** Choices, default and uniqueness as they will stand, all read by the type; what is wrong stands at its field. */
async function resolveField(
  ctx: TxCtx,
  entityTypeId: EntityTypeId,
  input: FieldBody,
  before: Pick<FieldRow, 'type' | 'choices' | 'default_value' | 'is_unique'>,
  replacements: readonly Replacement[] = [],
): Promise<ResolvedField> {
  const type = input.type ?? before.type;
  const choices =
    type !== 'enum'
      ? []
      : input.choices === undefined
        ? [...before.choices]
        : await readChoices(ctx, input.choices, before.choices);
  if (type === 'enum' && choices.length === 0) invalid({ choices: 'Add at least one choice.' });
  const is_unique = input.is_unique ?? (before.is_unique && type === before.type);
  if (is_unique && (!canBeUnique.includes(type) || entityTypeId === 4))
    invalid({ is_unique: 'Only numbers, dates, phone numbers and keywords can be unique.' });
  const default_value =
    input.defaultValue !== undefined
      ? readDefault(type, choices, input.defaultValue)
      : type === before.type
        ? keptDefault(type, choices, before.default_value, replacements)
        : null;
  if (is_unique && default_value !== null)
    invalid({ defaultValue: 'A unique field can’t have a default.' });
  return { choices, default_value, is_unique };
}
export async function readChoices(
  ctx: TxCtx,
  input: readonly ChoiceInput[],
  before: readonly FieldChoice[],
): Promise<FieldChoice[]> {
  const resolved = resolveChoices(input, before, await nextIds(ctx.tx, input.length));
  return 'errors' in resolved ? invalid(resolved.errors) : resolved.choices;
}
export function readDefault(
  type: FieldRow['type'],
  choices: readonly FieldChoice[],
  input: unknown,
): FieldValueType | null {
  if (isBlank(input)) return null;
  const read = readValue({ type, choices }, input);
  return 'error' in read ? invalid({ defaultValue: read.error }) : read.value;
}
const keptDefault = (
  type: FieldRow['type'],
  choices: readonly FieldChoice[],
  value: FieldValueType | null,
  replacements: readonly Replacement[],
): FieldValueType | null => {
  if (type !== 'enum' || choices.some((c) => c.id === value)) return value;
  const instead = replacements.find((r) => r.from === value)?.to ?? null;
  return choices.some((c) => c.id === instead) ? instead : null;
};

/** Give objects whose choice goes the one that takes its place, or refuse and say which ones need one. */
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
    ? await countByChoice(ctx.db.unscoped, { organizationId: before.organization_id! }, before)
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

/** The same in the organization's other companies: each in a transaction of its own. */
export async function propagateToCompanies(
  ctx: TxCtx,
  field: FieldRow,
  change:
    | { replacements: readonly Replacement[]; after: readonly FieldChoice[] }
    | { gone: true }
    | { changed: true },
): Promise<void> {
  // As the field was: by the time the others follow, it may be gone.
  const { id, entity_type_id, name, type, choices } = field;
  const payload = {
    field: { id, entity_type_id, name, type, choices },
    after: 'after' in change ? change.after : choices,
    replacements: 'replacements' in change ? change.replacements : [],
    gone: 'gone' in change,
    by: { userId: ctx.actor.userId || null, name: ctx.actor.name },
  };
  for (const companyId of await companyIdsOf(ctx.db.unscoped, field.organization_id!))
    if (companyId !== ctx.companyId)
      await ctx.enqueue('fields.syncOrganization', { companyId, ...payload });
}

/** Into the field's history, the audit log and everybody's screens. */
export async function recordFieldChange(
  ctx: TxCtx,
  field: FieldRow,
  action:
    | 'created'
    | 'updated'
    | 'deleted'
    | 'override_created'
    | 'override_updated'
    | 'override_deleted',
  detail: string,
  before: unknown,
  after: unknown,
): Promise<void> {
  await insertHistory(
    ctx.tx,
    ctx.companyId,
    { field_id: field.id, action, detail, before, after },
    { id: ctx.actor.userId || null, name: ctx.actor.name },
    ctx.now,
  );
  await audit(ctx, `field.${action}`, `field:${field.id}`, { before, after });
  const change =
    action === 'created' || action === 'updated' || action === 'deleted' ? action : 'overridden';
  await ctx.publish(contract.fieldsChanged, {
    companyId: ctx.companyId,
    entityTypeId: field.entity_type_id,
    fieldId: field.id,
    change,
  });
  if (field.organization_id !== null && change !== 'overridden' && change !== 'deleted')
    await propagateToCompanies(ctx, field, { changed: true });
}
