import { scheduleExists } from '../../companies/index.ts';
import { forwarding as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound, fail } from '../../../platform/errors.ts';
import { tagsByName } from '../../fields/index.ts';
import { getForwardContact } from './list-forward-contacts.ts';
import { destinationProblems } from './rules.ts';
import {
  lockDestinations,
  insertContact,
  lockContact,
  hasSameDestination,
  updateContact as updateRow,
  activeUsersAmong,
  type ContactColumns,
  type ContactRow,
} from './store.ts';

type Patch = Body<typeof contract.updateForwardContact>;

/** Adds a contact. Fails with `forwarding.exists`, or 422 per field. */
export async function createForwardContact(
  ctx: TxCtx,
  body: Body<typeof contract.createForwardContact>,
): Promise<Answer<typeof contract.createForwardContact>> {
  const columns = await columnsOf(ctx, body, null);
  const row =
    (await insertContact(
      ctx.tx,
      ctx.companyId,
      { ...columns, name: body.name, type: body.type },
      ctx.actor.userId || null,
      ctx.now,
    )) ?? fail('forwarding.exists');
  await audit(ctx, 'forward_contact.added', `forward_contact:${row.id}`, { after: columns });
  await ctx.publish(contract.forwardContactChanged, {
    contactId: row.id,
    name: body.name,
    added: true,
    moved: false,
  });
  return getForwardContact(ctx, row.id);
}

/**
 * Changes a forwarding contact; what the patch omits stays. A new destination is unverified until a
 * call to it is answered. Fails with 404, `forwarding.exists`, or 422 per field.
 */
export async function updateForwardContact(
  ctx: TxCtx,
  id: number,
  patch: Patch,
): Promise<Answer<typeof contract.updateForwardContact>> {
  await lockDestinations(ctx.tx, ctx.companyId);
  const before = (await lockContact(ctx.tx, ctx.companyId, id)) ?? notFound();
  const columns = await columnsOf(ctx, patch, before);
  const after = { ...before, ...columns };
  const changes = Object.fromEntries(
    Object.entries(columns).filter(
      ([key, value]) => JSON.stringify(before[key as keyof ContactRow]) !== JSON.stringify(value),
    ),
  );
  if (Object.keys(changes).length === 0) return getForwardContact(ctx, id);
  const destinationChanged = after.phone !== before.phone || after.user_id !== before.user_id;
  if (
    (destinationChanged || after.extension !== before.extension) &&
    (await hasSameDestination(
      ctx.tx,
      ctx.companyId,
      id,
      after.phone ?? `user:${after.user_id}`,
      after.extension,
    ))
  )
    fail('forwarding.exists');
  await updateRow(ctx.tx, ctx.companyId, id, {
    ...changes,
    ...(destinationChanged ? { verified_at: null } : {}),
    updated_at: ctx.now,
  });
  await audit(ctx, 'forward_contact.changed', `forward_contact:${id}`, {
    before: Object.fromEntries(
      Object.keys(changes).map((key) => [key, before[key as keyof ContactRow]]),
    ),
    after: changes,
  });
  await ctx.publish(contract.forwardContactChanged, {
    contactId: id,
    name: after.name,
    added: false,
    moved: destinationChanged,
  });
  return getForwardContact(ctx, id);
}

/**
 * The input as columns. Fails with 422 per field, also when something it refers to doesn't exist.
 */
async function columnsOf(
  ctx: TxCtx,
  input: Patch,
  before: ContactRow | null,
): Promise<ContactColumns> {
  const type = input.type ?? before?.type ?? 'phone';
  // A change of type clears the old destination: a person has no number, and a number no person.
  const number =
    type === 'user' ? null : input.number === undefined ? (before?.phone ?? null) : input.number;
  const user_id =
    type !== 'user'
      ? null
      : input.user_id === undefined
        ? (before?.user_id ?? null)
        : input.user_id;
  const problems = destinationProblems({ type, number, user_id });
  if (problems) invalid(problems);
  if (
    user_id !== null &&
    user_id !== before?.user_id &&
    !(await activeUsersAmong(ctx.tx, ctx.companyId, [user_id])).has(user_id)
  )
    invalid({ user_id: 'This person isn’t in the company.' });
  if (
    input.schedule_id &&
    input.schedule_id !== before?.schedule_id &&
    !(await scheduleExists(ctx.tx, ctx.companyId, input.schedule_id))
  )
    invalid({ schedule_id: 'This schedule doesn’t exist.' });
  const all = {
    name: input.name,
    type,
    phone: number,
    user_id,
    extension: input.extension === undefined ? undefined : (input.extension ?? ''),
    caller_id_pass_thru: input.caller_id_pass_thru,
    confirm_key:
      input.confirm_key === undefined
        ? undefined
        : input.confirm_key === false
          ? null
          : String(input.confirm_key),
    schedule_id: input.schedule_id,
    timezone: input.timezone,
    notes: input.notes,
    tag_ids:
      input.tags === undefined
        ? undefined
        : input.tags.length
          ? (await tagsByName(ctx, input.tags)).map((tag) => tag.id)
          : [],
  };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as ContactColumns;
}
