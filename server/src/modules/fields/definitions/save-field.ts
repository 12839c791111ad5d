import { fields as contract, type Answer, type Body } from '#contract';
import {
  canBeUnique,
  isBlank,
  keyOfName,
  readValue,
  type EntityTypeId,
  type FieldChoice,
  type FieldPlain,
} from '#contract/field-rules';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, missing, refuse } from '../../../platform/refuse.ts';
import { countByChoice, filledCount, hasTwins, replaceChoice } from '../values/store.ts';
import { tellNumbers } from '../values/tell-numbers.ts';
import { settleChoices, unreplaced, type Replacement, type SaidChoice } from './choices.ts';
import { entityTypeOr404 } from './list-fields.ts';
import { presentField } from './present.ts';
import {
  companyIdsOf,
  fieldRow,
  fieldRows,
  freshIds,
  holdField,
  insertField,
  noteHistory,
  organizationFieldRow,
  organizationIdOf,
  overridesOf,
  patchField,
  type FieldIn,
  type FieldRow,
} from './store.ts';

/** Fields one type of object may have, the organization's included. */
const MOST_FIELDS = 200;
type Said = Omit<Body<typeof contract.updateField>, 'replacements'>;

/** Define a field. It is the company's, or, for those who administer the organization, all its companies'. */
export async function createField(
  ctx: TxCtx,
  type: string,
  said: Body<typeof contract.createField>,
): Promise<Answer<typeof contract.createField>> {
  const entityTypeId = entityTypeOr404(type);
  const organizationId =
    said.scope === 'organization' || entityTypeId === 4 ? await organizationToEdit(ctx) : null;
  const existing = await fieldRows(ctx.tx, ctx.companyId, { entityTypeId });
  if (existing.length >= MOST_FIELDS)
    invalid({ name: `At most ${MOST_FIELDS} custom fields. Delete one first.` });
  const key = said.key ?? freeKey(keyOfName(said.name), existing);
  if (existing.some((f) => f.key === key)) invalid({ key: 'Another field has this key already.' });
  const settled = await settle(ctx, entityTypeId, said, {
    type: said.type,
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
      name: said.name,
      description: said.description ?? '',
      type: said.type,
      choices: settled.choices,
      default_value: settled.default_value,
      is_required: said.is_required ?? false,
      is_unique: settled.is_unique,
      is_visible_in_list: said.is_visible_in_list ?? false,
      is_filterable: said.is_filterable ?? true,
      ai: clean(said.ai ?? {}),
    },
    ctx.actor.userId || null,
    ctx.now,
  );
  if (id === undefined) invalid({ key: 'Another field has this key already.' });
  const made = (await fieldRow(ctx.tx, ctx.companyId, id!)) ?? missing();
  await told(ctx, made, 'created', `${made.name} (${made.type})`, undefined, presentField(made));
  return { data: presentField(made) };
}

/** Change a field. The type stays once objects have values; choices in use go only when something takes their place. */
export async function updateField(
  ctx: TxCtx,
  type: string,
  id: number,
  body: Body<typeof contract.updateField>,
): Promise<Answer<typeof contract.updateField>> {
  const { replacements = [], ...said } = body;
  await holdField(ctx.tx, id);
  const before = (await asAtHome(ctx, id)) ?? missing();
  if (before.entity_type_id !== entityTypeOr404(type)) missing();
  if (before.organization_id !== null) await organizationToEdit(ctx);
  const whose = before.organization_id === null ? ctx : { organizationId: before.organization_id };
  const db = before.organization_id === null ? ctx.tx : ctx.db.directory;
  if (said.type !== undefined && said.type !== before.type) {
    const filled = await filledCount(db, whose, before);
    if (filled)
      invalid({
        type: `The type stays: ${filled === 1 ? 'one object has' : `${filled.toLocaleString('en-US')} objects have`} a value. Make another field instead.`,
      });
  }
  const settled = await settle(ctx, before.entity_type_id, said, before, replacements);
  if (settled.is_unique && !before.is_unique && (await hasTwins(db, whose, before)))
    invalid({ is_unique: 'Some objects have the same value. Change those first.' });
  await replaceUsed(ctx, before, settled.choices, replacements);
  const patch: Partial<FieldIn> = {
    ...(said.name !== undefined ? { name: said.name } : {}),
    ...(said.description !== undefined ? { description: said.description } : {}),
    ...(said.type !== undefined ? { type: said.type } : {}),
    choices: settled.choices,
    default_value: settled.default_value,
    is_unique: settled.is_unique,
    ...(said.is_required !== undefined ? { is_required: said.is_required } : {}),
    ...(said.is_visible_in_list !== undefined
      ? { is_visible_in_list: said.is_visible_in_list }
      : {}),
    ...(said.is_filterable !== undefined ? { is_filterable: said.is_filterable } : {}),
    ...(said.ai !== undefined ? { ai: { ...before.ai, ...clean(said.ai) } } : {}),
  };
  await patchField(ctx.tx, before, patch, ctx.now);
  const after = (await asAtHome(ctx, id)) ?? missing();
  const [was, is] = [presentField(before), presentField(after)];
  const changed = (Object.keys(is) as (keyof contract.Field)[]).filter(
    (k) => k !== 'updated_at' && JSON.stringify(was[k]) !== JSON.stringify(is[k]),
  );
  if (changed.length)
    await told(
      ctx,
      after,
      'updated',
      changed.map((k) => changeWords[k] ?? k).join(', '),
      pick(was, changed),
      pick(is, changed),
    );
  return { data: presentField((await fieldRow(ctx.tx, ctx.companyId, id)) ?? missing()) };
}
/** The field without what this company laid over it: an organization's field is changed as the organization has it. */
async function asAtHome(ctx: TxCtx, id: number): Promise<FieldRow | undefined> {
  const row = await fieldRow(ctx.tx, ctx.companyId, id);
  if (!row || row.organization_id === null || row.override_id === null) return row;
  return {
    ...row,
    ...(await organizationFieldRow(ctx.tx, row.organization_id, id)),
    override_id: null,
  };
}
const changeWords: Partial<Record<keyof contract.Field, string>> = {
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
const clean = (ai: object): FieldRow['ai'] =>
  Object.fromEntries(Object.entries(ai).filter(([, v]) => v !== undefined));
/** `stage`, then `stage_2` … */
function freeKey(key: string, existing: readonly FieldRow[]): string {
  for (let n = 1; ; n++) {
    const wanted = n === 1 ? key : `${key.slice(0, 56)}_${n}`;
    if (!existing.some((f) => f.key === wanted)) return wanted;
  }
}

/** What belongs to the organization is changed by those who administer it, in a company that is part of it. */
export async function organizationToEdit(ctx: TxCtx): Promise<number> {
  if (ctx.may('organization.edit') === 'none') refuse('role.forbidden');
  return (
    (await organizationIdOf(ctx.tx, ctx.companyId)) ??
    invalid({ scope: 'This company belongs to no organization.' })
  );
}

type Settled = { choices: FieldChoice[]; default_value: FieldPlain | null; is_unique: boolean };
/** Choices, default and uniqueness as they will stand, all read by the type; what is wrong stands at its field. */
async function settle(
  ctx: TxCtx,
  entityTypeId: EntityTypeId,
  said: Said,
  before: Pick<FieldRow, 'type' | 'choices' | 'default_value' | 'is_unique'>,
  replacements: readonly Replacement[] = [],
): Promise<Settled> {
  const type = said.type ?? before.type;
  const choices =
    type !== 'enum'
      ? []
      : said.choices === undefined
        ? [...before.choices]
        : await readChoices(ctx, said.choices, before.choices);
  if (type === 'enum' && choices.length === 0) invalid({ choices: 'Add at least one choice.' });
  const is_unique = said.is_unique ?? (before.is_unique && type === before.type);
  if (is_unique && (!canBeUnique.includes(type) || entityTypeId === 4))
    invalid({ is_unique: 'Only numbers, dates, phone numbers and keywords can be unique.' });
  const default_value =
    said.defaultValue !== undefined
      ? readDefault(type, choices, said.defaultValue)
      : type === before.type
        ? stillThere(type, choices, before.default_value, replacements)
        : null;
  if (is_unique && default_value !== null)
    invalid({ defaultValue: 'A unique field has no default.' });
  return { choices, default_value, is_unique };
}
export async function readChoices(
  ctx: TxCtx,
  said: readonly SaidChoice[],
  before: readonly FieldChoice[],
): Promise<FieldChoice[]> {
  const settled = settleChoices(said, before, await freshIds(ctx.tx, said.length));
  return 'errors' in settled ? invalid(settled.errors) : settled.choices;
}
export function readDefault(
  type: FieldRow['type'],
  choices: readonly FieldChoice[],
  said: unknown,
): FieldPlain | null {
  if (isBlank(said)) return null;
  const read = readValue({ type, choices }, said);
  return 'error' in read ? invalid({ defaultValue: read.error }) : read.value;
}
const stillThere = (
  type: FieldRow['type'],
  choices: readonly FieldChoice[],
  value: FieldPlain | null,
  replacements: readonly Replacement[],
): FieldPlain | null => {
  if (type !== 'enum' || choices.some((c) => c.id === value)) return value;
  const instead = replacements.find((r) => r.from === value)?.to ?? null;
  return choices.some((c) => c.id === instead) ? instead : null;
};

/** Give objects whose choice goes the one that takes its place, or refuse and say which ones need one. */
export async function replaceUsed(
  ctx: TxCtx,
  before: FieldRow,
  after: readonly FieldChoice[],
  replacements: readonly Replacement[],
  onlyHere = false,
): Promise<void> {
  if (before.type !== 'enum') return;
  const everywhere = before.organization_id !== null && !onlyHere;
  const used = everywhere
    ? await countByChoice(ctx.db.directory, { organizationId: before.organization_id! }, before)
    : await countByChoice(ctx.tx, ctx, before);
  const open = unreplaced(before.choices, after, used, replacements);
  if (open.length)
    refuse(
      'field.choice_used',
      {},
      {
        choices: open.map((c) => ({ id: c.id, value: c.value, used: c.used })),
        stay: after.map((c) => ({ id: c.id, value: c.value })),
      },
    );
  const stays = new Set(after.map((c) => c.id));
  const moves = replacements.filter(
    (r) => before.choices.some((c) => c.id === r.from) && !stays.has(r.from),
  );
  const kept = everywhere
    ? (await overridesOf(ctx.tx, ctx.companyId, before.id))[0]?.choices
    : undefined;
  for (const { from, to } of moves) {
    if (kept?.some((c) => c.id === from)) continue;
    await tellNumbers(ctx, before, { from, to }, [...after]);
    await replaceChoice(ctx.tx, ctx.companyId, before, from, to);
  }
  if (everywhere && moves.length && before.entity_type_id !== 4)
    await inOtherCompanies(ctx, before, { replacements: moves, after });
}

/** The same in the organization's other companies: each in a transaction of its own. */
export async function inOtherCompanies(
  ctx: TxCtx,
  field: FieldRow,
  what:
    | { replacements: readonly Replacement[]; after: readonly FieldChoice[] }
    | { gone: true }
    | { changed: true },
): Promise<void> {
  // As the field was: by the time the others follow, it may be gone.
  const { id, entity_type_id, name, type, choices } = field;
  const said = {
    field: { id, entity_type_id, name, type, choices },
    after: 'after' in what ? what.after : choices,
    replacements: 'replacements' in what ? what.replacements : [],
    gone: 'gone' in what,
    by: { userId: ctx.actor.userId || null, name: ctx.actor.name },
  };
  for (const companyId of await companyIdsOf(ctx.db.directory, field.organization_id!))
    if (companyId !== ctx.companyId)
      await ctx.enqueue('fields.followOrganization', { companyId, ...said });
}

/** Into the field's history, the audit log and everybody's screens. */
export async function told(
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
  await noteHistory(
    ctx.tx,
    ctx.companyId,
    { field_id: field.id, action, detail, before, after },
    { id: ctx.actor.userId || null, name: ctx.actor.name },
    ctx.now,
  );
  await audit(ctx, `field.${action}`, `field:${field.id}`, { before, after });
  const change =
    action === 'created' || action === 'updated' || action === 'deleted' ? action : 'overridden';
  await ctx.say(contract.fieldsChanged, {
    companyId: ctx.companyId,
    entityTypeId: field.entity_type_id,
    fieldId: field.id,
    change,
  });
  if (field.organization_id !== null && change !== 'overridden' && change !== 'deleted')
    await inOtherCompanies(ctx, field, { changed: true });
}
