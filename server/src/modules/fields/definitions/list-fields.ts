import { fields as contract, type Answer, type Query } from '#contract';
import { entityTypeNamed, entityTypes, type EntityTypeId } from '#contract/fields/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
import { countByChoice, countFilled, countEntities } from '../values/store-field-values.ts';
import { presentField } from './present.ts';
import { fieldRow, fieldRows } from './store.ts';
import { companyNames, organizationIdOf } from '../organizations.ts';
import { historyOf } from './store-history.ts';
import { overridesOf, overridesOfOrganization } from './store-overrides.ts';

// The system role: fields and tags of an organization apply to all of its companies.

/** `6` or `call` → 6. Fails with 404 for anything else. */
export const requireEntityType = (idOrKey: string): EntityTypeId =>
  entityTypeNamed(idOrKey) ?? notFound();

/** The kinds of objects that can have custom fields, with how many fields each has. */
export async function listFieldEntities(
  ctx: TxCtx,
): Promise<Answer<typeof contract.listFieldEntities>> {
  const rows = await fieldRows(ctx.tx, ctx.companyId);
  return {
    data: entityTypes.map((e) => ({
      id: e.id,
      key: e.key,
      label: e.label,
      attribute_count: rows.filter((row) => row.entity_type_id === e.id).length,
    })),
  };
}

/**
 * The company's fields and those of its organization, of one kind of object or of all. Fails with a
 * field error for an unknown kind.
 */
export async function listFields(
  ctx: TxCtx,
  query: Query<typeof contract.listFields>,
): Promise<Answer<typeof contract.listFields>> {
  const entityTypeId =
    query.entityType === undefined
      ? undefined
      : (entityTypeNamed(query.entityType) ??
        invalid({ entityType: 'Choose an option from the list.' }));
  return {
    data: (await fieldRows(ctx.tx, ctx.companyId, { entityTypeId, search: query.search })).map(
      presentField,
    ),
  };
}

/**
 * How many objects have a value of their own; defaults don't count. `not_found` when the field
 * doesn't exist.
 */
export async function fieldCountStats(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.fieldCountStats>> {
  const row = (await fieldRow(ctx.tx, ctx.companyId, id)) ?? notFound();
  const counts =
    row.type === 'enum' ? await countByChoice(ctx.tx, ctx, row) : new Map<number, number>();
  return {
    data: {
      total: await countEntities(ctx.tx, ctx.companyId, row.entity_type_id),
      filled: await countFilled(ctx.tx, ctx, row),
      byChoice: Object.fromEntries(row.choices.map((c) => [c.id, counts.get(c.id) ?? 0])),
    },
  };
}

/**
 * What was changed on a field, newest first. A deleted field keeps its history; `not_found` when
 * there never was one.
 */
export async function fieldHistory(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.fieldHistory>> {
  const rows = await historyOf(ctx.tx, ctx.companyId, id);
  if (!rows.length && !(await fieldRow(ctx.tx, ctx.companyId, id))) notFound();
  return {
    data: rows.map((h) => ({
      id: h.id,
      at: new Date(h.at).toISOString(),
      actor: { id: h.actor_id, name: h.actor_name },
      action: h.action as 'created',
      detail: h.detail,
      before: h.before,
      after: h.after,
    })),
  };
}

/**
 * Overrides of a field: of all companies for organization administrators, else the company's own.
 * `not_found` when the field doesn't exist.
 */
export async function listFieldOverrides(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.listFieldOverrides>> {
  const row = (await fieldRow(ctx.tx, ctx.companyId, id)) ?? notFound();
  const organizationId = await organizationIdOf(ctx.tx, ctx.companyId);
  const all =
    row.organization_id !== null &&
    organizationId !== null &&
    ctx.may('organization.edit') !== 'none';
  const overrides = all
    ? await overridesOfOrganization(ctx.db.unscoped, organizationId, id)
    : await overridesOf(ctx.tx, ctx.companyId, id);
  const names = new Map(
    (
      await companyNames(
        all ? ctx.db.unscoped : ctx.tx,
        overrides.map((o) => o.company_id),
      )
    ).map((c) => [c.id, c.name]),
  );
  return {
    data: overrides.map((o) => ({
      id: o.id,
      attribute_id: o.field_id,
      company: { id: o.company_id, name: names.get(o.company_id) ?? '' },
      description: o.description,
      choices: o.choices,
      defaultValue: o.default_value,
      has_default: o.has_default,
      created_at: new Date(o.created_at).toISOString(),
      updated_at: new Date(o.updated_at).toISOString(),
    })),
  };
}
