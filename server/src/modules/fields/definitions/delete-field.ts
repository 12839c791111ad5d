import type { TxCtx } from '../../../platform/context.ts';
import { missing } from '../../../platform/refuse.ts';
import { dropValuesOfField } from '../values/store.ts';
import { tellNumbers } from '../values/tell-numbers.ts';
import { presentField } from './present.ts';
import { inOtherCompanies, organizationToEdit, told } from './save-field.ts';
import { fieldRow, holdField, removeField, removeOverride } from './store.ts';

/** Delete a field with all its values. Its history stays. */
export async function deleteField(ctx: TxCtx, id: number): Promise<void> {
  await holdField(ctx.tx, id);
  const row = (await fieldRow(ctx.tx, ctx.companyId, id)) ?? missing();
  if (row.organization_id !== null) await organizationToEdit(ctx);
  await tellNumbers(ctx, row, null);
  await dropValuesOfField(ctx.tx, ctx.companyId, row);
  await removeOverride(ctx.tx, ctx.companyId, id);
  await removeField(ctx.tx, row);
  await told(ctx, row, 'deleted', row.name, presentField(row), undefined);
  if (row.organization_id !== null) await inOtherCompanies(ctx, row, { gone: true });
}
