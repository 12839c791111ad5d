import type { EntityTypeId } from '#contract/fields/rules';
import type { Tx } from '../../../platform/db.ts';
import { fieldRows, type FieldRow } from './store.ts';

/** What a verb needs to hold to ask about custom fields. */
export interface FieldScope {
  tx: Tx;
  companyId: number;
  onUnknownField?(path: readonly string[]): void;
}

/** The fields that objects of this type have in this company: its own and its organization's. For columns, exports, imports and merge tags. */
export const fieldsFor = (scope: FieldScope, entityTypeId: EntityTypeId): Promise<FieldRow[]> =>
  fieldRows(scope.tx, scope.companyId, { entityTypeId });

/** The field somebody means by its id or its key; a company's own field comes before its organization's of the same key. */
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
