import { calls as contract, type Answer, type Body } from '#contract';
import { entityOf } from '#contract/fields/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
import { contactsByIds } from '../../contacts/index.ts';
import { setValues } from '../../fields/index.ts';
import { correctMood } from '../readings/correct-mood.ts';
import { moodOfCall } from '../readings/store.ts';
import { getCall } from './get-call.ts';
import { changeEntry, editEntry, type EditedField } from './describe-edit.ts';
import { applyOutcomeRules } from '../outcome-rules/apply-rules.ts';
import { addHistory } from './store-history.ts';
import { lockCall, visibleCall, patchCall } from './store.ts';

const fieldKey = ({ field }: { field: { id: number } }): string => `field:${field.id}`;

/** What is asked for, by column; undefined: it stays. */
const wantedOf = (
  body: Body<typeof contract.updateCall>,
): Partial<Record<EditedField, unknown>> => ({
  note: body.note,
  qualified: body.qualified,
  lead: body.lead,
  outcome_tags: body.outcome_tags && [...new Set(body.outcome_tags)],
  department: body.department,
  value_cents: body.value_cents,
  spam: body.spam,
  summary: body.summary,
  sentiment: body.sentiment,
  contact_id: body.contact_id,
});

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
  const stored = (await lockCall(tx, companyId, id)) ?? notFound();
  const row = { ...stored, sentiment: await moodOfCall(tx, companyId, id) };
  if (body.contact_id && !(await contactsByIds(tx, companyId, [body.contact_id])).length)
    invalid({ contact_id: 'This contact doesn’t exist.' });

  const wanted = wantedOf(body);
  const changed = (Object.keys(wanted) as EditedField[]).filter(
    (key) => wanted[key] !== undefined && JSON.stringify(wanted[key]) !== JSON.stringify(row[key]),
  );
  const values = body.eavAttributeValues
    ? await setValues(ctx, entityOf.call, id, body.eavAttributeValues)
    : [];
  if (!changed.length && !values.length) return getCall(ctx, id);
  if (changed.includes('sentiment')) await correctMood(ctx, id, body.sentiment);
  const columns = changed.filter((key) => key !== 'sentiment');
  await patchCall(tx, companyId, id, {
    ...Object.fromEntries(columns.map((key) => [key, wanted[key]])),
    // Rules and AI leave these alone from now on.
    person_set: [...new Set([...row.person_set, ...changed, ...values.map(fieldKey)])],
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
  if (changed.includes('outcome_tags')) await applyOutcomeRules(ctx, id);
  return getCall(ctx, id);
}
