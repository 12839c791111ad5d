import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { removeValuesOfField } from '../values/store-field-values.ts';
import { publishNumberValues } from '../values/publish-number-values.ts';
import { presentField } from './present.ts';
import { requireOrganization } from './save-field.ts';
import { propagateToCompanies, recordFieldChange } from './record-field-change.ts';
import { fieldRow, lockField, removeField } from './store.ts';
import { removeOverride } from './store-overrides.ts';

/** Deletes a field with all its values. Its history stays. `not_found` when it doesn't exist. */
export async function deleteField(ctx: TxCtx, id: number): Promise<void> {
  await lockField(ctx.tx, id);
  const row = (await fieldRow(ctx.tx, ctx.companyId, id)) ?? notFound();
  if (row.organization_id !== null) await requireOrganization(ctx);
  await publishNumberValues(ctx, row, null);
  await removeValuesOfField(ctx.tx, ctx.companyId, row);
  await removeOverride(ctx.tx, ctx.companyId, id);
  await removeField(ctx.tx, row);
  await recordFieldChange(ctx, row, 'deleted', row.name, presentField(row), undefined);
  if (row.organization_id !== null) await propagateToCompanies(ctx, row, { gone: true });
}
