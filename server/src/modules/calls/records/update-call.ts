import { calls as contract, type Answer, type Body } from '#contract';
import { entityOf } from '#contract/fields/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
import { contactsByIds } from '../../contacts/index.ts';
import { setValues } from '../../fields/index.ts';
import { getCall } from './get-call.ts';
import { changeEntry, editEntry, type EditedField } from './describe-edit.ts';
import { addHistory } from './store-history.ts';
import { lockCall, visibleCall, patchCall } from './store.ts';

/**
 * Changes a call's editable fields; each change enters the history with its author and values.
 * `not_found` when the user may not see the call.
 */
export async function updateCall(
  ctx: TxCtx,
  id: number,
  body: Body<typeof contract.updateCall>,
): Promise<Answer<typeof contract.updateCall>> {
  const { tx, companyId, now } = ctx;
  if (!(await visibleCall(tx, companyId, id, ctx.numbers))) notFound();
  const row = (await lockCall(tx, companyId, id)) ?? notFound();
  if (body.contact_id && !(await contactsByIds(tx, companyId, [body.contact_id])).length)
    invalid({ contact_id: 'This contact doesn’t exist.' });

  const wanted: Partial<Record<EditedField, unknown>> = {
    note: body.note,
    qualified: body.qualified,
    lead: body.lead,
    outcome_tags: body.outcome_tags && [...new Set(body.outcome_tags)],
    department: body.department,
    value_cents: body.value_cents,
    spam: body.spam,
    contact_id: body.contact_id,
  };
  const changed = (Object.keys(wanted) as EditedField[]).filter(
    (key) => wanted[key] !== undefined && JSON.stringify(wanted[key]) !== JSON.stringify(row[key]),
  );
  const values = body.eavAttributeValues
    ? await setValues(ctx, entityOf.call, id, body.eavAttributeValues)
    : [];
  if (!changed.length && !values.length) return getCall(ctx, id);
  const patch = Object.fromEntries(changed.map((key) => [key, wanted[key]]));
  await patchCall(tx, companyId, id, {
    ...patch,
    // Rules leave these alone from now on.
    person_set: [...new Set([...row.person_set, ...changed])],
    updated_at: now,
  });
  await addHistory(tx, companyId, id, [
    ...changed.map((key) => changeEntry(ctx, key, row[key], wanted[key])),
    ...values.map(({ field, before, after }) => ({
      ...editEntry(ctx),
      label: `${field.name} changed`,
      detail: after || 'None',
      before: before || null,
      after: after || null,
    })),
  ]);
  await ctx.publish(
    contract.callUpdated,
    {
      callId: id,
      numberId: row.number_id,
      changed: [...changed, ...(values.length ? ['eavAttributeValues'] : [])],
    },
    { numberId: row.number_id },
  );
  return getCall(ctx, id);
}
