import type { Selectable } from 'kysely';
import type { FieldChoice, FieldValueType } from '#contract/fields/rules';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

/** A company's override of its organization's field. A column that is null isn't overridden. */
export interface OverrideRow extends Selectable<Tables['field_override']> {
  /** Only when `has_default`: then null is the override of a default by none. */
  default_value: FieldValueType | null;
  choices: FieldChoice[] | null;
}
/** The company's overrides of an organization's field: one, or none. */
export const overridesOf = async (
  tx: Tx,
  companyId: number,
  fieldId: number,
): Promise<OverrideRow[]> =>
  (await tx
    .selectFrom('field_override')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('field_id', '=', fieldId)
    .execute()) as OverrideRow[];
/** Overrides of all companies of the organization; needs the system role. */
export const overridesOfOrganization = async (
  db: Tx,
  organizationId: number,
  fieldId: number,
): Promise<OverrideRow[]> =>
  (await db
    .selectFrom('field_override')
    .selectAll()
    .where('field_id', '=', fieldId)
    .where('company_id', 'in', (e) =>
      e.selectFrom('company').select('id').where('organization_id', '=', organizationId),
    )
    .orderBy('id')
    .limit(1000)
    .execute()) as OverrideRow[];
/**
 * Stores a company's override of an organization's field. Null keeps what the organization says;
 * `has_default` tells a null default from no override.
 */
export async function upsertOverride(
  tx: Tx,
  companyId: number,
  fieldId: number,
  o: {
    description: string | null;
    default_value: FieldValueType | null;
    has_default: boolean;
    choices: readonly FieldChoice[] | null;
  },
  by: number | null,
  at: Date,
): Promise<void> {
  const set = {
    description: o.description,
    default_value: o.default_value === null ? null : JSON.stringify(o.default_value),
    has_default: o.has_default,
    choices: o.choices === null ? null : JSON.stringify(o.choices),
    updated_at: at,
  };
  await tx
    .insertInto('field_override')
    .values({ company_id: companyId, field_id: fieldId, created_by: by, created_at: at, ...set })
    .onConflict((c) => c.columns(['company_id', 'field_id']).doUpdateSet(set))
    .execute();
}
/** Returns an organization's field to what the organization says. */
export const removeOverride = (tx: Tx, companyId: number, fieldId: number) =>
  tx
    .deleteFrom('field_override')
    .where('company_id', '=', companyId)
    .where('field_id', '=', fieldId)
    .execute();
