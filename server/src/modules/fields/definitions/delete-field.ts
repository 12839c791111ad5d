import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { removeValuesOfField } from '../values/store.ts';
import { publishNumberValues } from '../values/publish-number-values.ts';
import { presentField } from './present.ts';
import { propagateToCompanies, requireOrganization, recordFieldChange } from './save-field.ts';
import { fieldRow, lockField, removeField, removeOverride } from './store.ts';

/** Delete a field with all its values. Its history stays. */
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
