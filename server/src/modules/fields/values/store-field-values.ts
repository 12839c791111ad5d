import { sql } from 'kysely';
import type { EntityTypeId, FieldValueType } from '#contract/fields/rules';
import { oneRow, type Tx } from '../../../platform/db.ts';
import { valueColumn } from './store.ts';

/** How many objects of a kind the company has, filled in or not. */
export const countEntities = async (
  tx: Tx,
  companyId: number,
  entityTypeId: EntityTypeId,
): Promise<number> =>
  (
    await oneRow(
      tx,
      sql<{ n: number }>`select field_entities(${companyId}, ${entityTypeId}::int) n`,
    )
  ).n;
/** Values of one company, or (with the system role) of all companies of an organization. */
type ValueScope = { companyId: number } | { organizationId: number };
const valuesOfField = (whose: ValueScope, field: { id: number; entity_type_id: number }) => {
  const organization =
    'companyId' in whose
      ? sql`(select c.organization_id from company c where c.id = ${whose.companyId})`
      : sql`${whose.organizationId}`;
  if (field.entity_type_id === 4)
    return sql`organization_field_value v
      where v.organization_id = ${organization} and v.field_id = ${field.id}`;
  return 'companyId' in whose
    ? sql`field_value v where v.company_id = ${whose.companyId} and v.field_id = ${field.id}`
    : sql`field_value v where v.company_id in (select c.id
        from company c where c.organization_id = ${organization}) and v.field_id = ${field.id}`;
};
/** How many objects have a value of their own for a field. */
export const countFilled = async (
  tx: Tx,
  whose: ValueScope,
  field: { id: number; entity_type_id: number },
): Promise<number> =>
  (await oneRow(tx, sql<{ n: number }>`select count(*)::int n from ${valuesOfField(whose, field)}`))
    .n;
/** How many objects have each choice, by choice ID; unused choices are left out. */
export const countByChoice = async (
  tx: Tx,
  whose: ValueScope,
  field: { id: number; entity_type_id: number },
): Promise<Map<number, number>> =>
  new Map(
    (
      await sql<{
        choice_id: number;
        n: number;
      }>`select v.choice_id, count(*)::int n
        from ${valuesOfField(whose, field)} and v.choice_id is not null group by 1`.execute(tx)
    ).rows.map((r) => [r.choice_id, r.n]),
  );
/** True when two objects of a company have the same value. */
export const hasDuplicates = async (
  tx: Tx,
  whose: ValueScope,
  field: { id: number; entity_type_id: number },
): Promise<boolean> =>
  field.entity_type_id !== 4 &&
  (
    await sql`select from ${valuesOfField(whose, field)} group by v.company_id, lower(v.text_value),
      v.number_value, v.date_value having count(*) > 1 limit 1`.execute(tx)
  ).rows.length > 0;
/** All objects' own values of a field, or only those with one choice. */
export const ownValuesOf = async (
  tx: Tx,
  companyId: number,
  fieldId: number,
  choiceId: number | null,
): Promise<{ entity_id: number; value: FieldValueType }[]> =>
  (
    await sql<{
      entity_id: number;
      value: FieldValueType;
    }>`select v.entity_id, ${valueColumn} from field_value v where v.company_id = ${companyId}
      and v.field_id = ${fieldId} ${choiceId === null ? sql`` : sql`and v.choice_id = ${choiceId}`}
      order by v.entity_id`.execute(tx)
  ).rows;
/** Replaces a choice in all values; `to` null: removes the values. */
export async function replaceChoice(
  tx: Tx,
  companyId: number,
  field: { id: number; entity_type_id: number },
  from: number,
  to: number | null,
): Promise<void> {
  const where =
    field.entity_type_id === 4
      ? sql`organization_id = (select c.organization_id from company c where c.id = ${companyId})
        and field_id = ${field.id} and choice_id = ${from}`
      : sql`company_id = ${companyId} and field_id = ${field.id} and choice_id = ${from}`;
  const table = sql.table(field.entity_type_id === 4 ? 'organization_field_value' : 'field_value');
  await (
    to === null
      ? sql`delete from ${table} where ${where}`
      : sql`update ${table} set choice_id = ${to} where ${where}`
  ).execute(tx);
}
/**
 * Deletes all values of a field in a company. Those of entity type 4 belong to its organization.
 */
export const removeValuesOfField = (
  tx: Tx,
  companyId: number,
  field: { id: number; entity_type_id: number },
) =>
  field.entity_type_id === 4
    ? sql`delete from organization_field_value where organization_id = (select c.organization_id
        from company c where c.id = ${companyId}) and field_id = ${field.id}`.execute(tx)
    : sql`delete from field_value
      where company_id = ${companyId} and field_id = ${field.id}`.execute(tx);
