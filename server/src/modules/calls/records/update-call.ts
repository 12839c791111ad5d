import { calls as contract, type Answer, type Body } from '#contract';
import { entityOf } from '#contract/fields/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
import { contactsByIds } from '../../contacts/index.ts';
import { setValues } from '../../fields/index.ts';
import { getCall } from './get-call.ts';
import { addHistory } from './store-history.ts';
import { lockCall, visibleCall, patchCall } from './store.ts';

/** The fields users may change, and their labels in the history. */
const fieldLabels = {
  note: 'Note changed',
  qualified: 'Qualification changed',
  lead: 'Lead changed',
  outcome_tags: 'Outcome changed',
  department: 'Department changed',
  value_cents: 'Value changed',
  spam: 'Spam status changed',
  contact_id: 'Contact changed',
} as const;
type Key = keyof typeof fieldLabels;

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

  const wanted: Partial<Record<Key, unknown>> = {
    note: body.note,
    qualified: body.qualified,
    lead: body.lead,
    outcome_tags: body.outcome_tags && [...new Set(body.outcome_tags)],
    department: body.department,
    value_cents: body.value_cents,
    spam: body.spam,
    contact_id: body.contact_id,
  };
  const changed = (Object.keys(wanted) as Key[]).filter(
    (key) => wanted[key] !== undefined && JSON.stringify(wanted[key]) !== JSON.stringify(row[key]),
  );
  const values = body.eavAttributeValues
    ? await setValues(ctx, entityOf.call, id, body.eavAttributeValues)
    : [];
  if (!changed.length && !values.length) return getCall(ctx, id);
  const patch = Object.fromEntries(changed.map((key) => [key, wanted[key]]));
  await patchCall(tx, companyId, id, { ...patch, updated_at: now });
  await addHistory(tx, companyId, id, [
    ...changed.map((key) => ({
      ...editEntry(ctx),
      label: fieldLabels[key],
      detail: describeValue(key, wanted[key]),
      before: row[key] ?? null,
      after: wanted[key] ?? null,
    })),
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

/** The fields that history entries of an edit share. */
const editEntry = ({ now, actor }: TxCtx) => ({
  kind: 'history' as const,
  at: now,
  code: null,
  leg: null,
  target: null,
  actor: actor.name,
  actor_id: actor.userId,
  node: null,
  matched: null,
});

function describeValue(key: Key, value: unknown): string | null {
  if (key === 'qualified') return value ? 'Qualified' : 'Not qualified';
  if (key === 'lead' || key === 'spam') return value ? 'Yes' : 'No';
  if (key === 'outcome_tags') return (value as string[]).join(', ') || 'None';
  if (key === 'department') return String(value);
  return null;
}
