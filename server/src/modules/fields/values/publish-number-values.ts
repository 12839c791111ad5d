import { fields as contract } from '#contract';
import { describeValue } from '#contract/fields/rules';
import type { TxCtx } from '../../../platform/context.ts';
import type { FieldRow } from '../definitions/store.ts';
import { ownValuesOf } from './store-field-values.ts';

export type FieldSummary = Pick<FieldRow, 'id' | 'entity_type_id' | 'name' | 'type' | 'choices'>;

/** Numbers per event. */
const eventBatchSize = 500;

/**
 * Publishes changes of numbers' custom values for their timelines (A6.5). Call it before the field is
 * deleted (`replacement` null), or before the choice `from` becomes `to` (null: no value).
 */
export async function publishNumberValues(
  ctx: TxCtx,
  field: FieldSummary,
  replacement: { from: number; to: number | null } | null,
  choicesAfter: FieldRow['choices'] = field.choices,
  by: { userId: number | null; name: string } = {
    userId: ctx.actor.userId || null,
    name: ctx.actor.name,
  },
): Promise<void> {
  if (field.entity_type_id !== 1) return;
  const after = replacement?.to
    ? describeValue({ ...field, choices: choicesAfter }, replacement.to)
    : '';
  const changes = (
    await ownValuesOf(ctx.tx, ctx.companyId, field.id, replacement?.from ?? null)
  ).map((row) => ({ numberId: row.entity_id, before: describeValue(field, row.value), after }));
  for (let from = 0; from < changes.length; from += eventBatchSize)
    await ctx.publish(contract.numberValuesChanged, {
      companyId: ctx.companyId,
      fieldId: field.id,
      name: field.name,
      at: ctx.now.toISOString(),
      userId: by.userId,
      userName: by.name,
      changes: changes.slice(from, from + eventBatchSize),
    });
}
