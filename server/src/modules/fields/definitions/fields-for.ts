import { entityOf, type EntityTypeId } from '#contract/fields/rules';
import type { Tx } from '../../../platform/db.ts';
import { fieldRows, type FieldRow } from './store.ts';

/** What callers need to read custom fields. */
export interface FieldScope {
  tx: Tx;
  companyId: number;
  onUnknownField?(path: readonly string[]): void;
}

/** The custom fields of an object type in this company: its own and its organization's. */
export const fieldsFor = (scope: FieldScope, entityTypeId: EntityTypeId): Promise<FieldRow[]> =>
  fieldRows(scope.tx, scope.companyId, { entityTypeId });

/** The fields of calls that AI fills. */
export const fieldsFilledByAi = async (scope: FieldScope): Promise<FieldRow[]> =>
  (await fieldsFor(scope, entityOf.call)).filter(({ ai }) => ai.enabled === true);

/**
 * A field by ID or key; the company's own comes before its organization's of the same key.
 * Undefined: there is none.
 */
export function findField(
  fields: readonly FieldRow[],
  idOrKey: string | number,
): FieldRow | undefined {
  return (
    fields.find((f) => String(f.id) === String(idOrKey)) ??
    fields.find((f) => f.company_id !== null && f.key === idOrKey) ??
    fields.find((f) => f.key === idOrKey)
  );
}
