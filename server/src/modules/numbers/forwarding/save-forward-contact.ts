import { forwarding as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, missing, refuse } from '../../../platform/refuse.ts';
import { tagsNamed } from '../../fields/index.ts';
import { getForwardContact } from './list-forward-contacts.ts';
import { whyNotPlace } from './rules.ts';
import {
  holdTargets,
  insertContact,
  lockContact,
  scheduleExists,
  twinOf,
  updateContact as updateRow,
  usersAmong,
  type ContactColumns,
  type ContactRow,
} from './store.ts';

type Patch = Body<typeof contract.updateForwardContact>;

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
    )) ?? refuse('forwarding.exists');
  await audit(ctx, 'forward_contact.added', `forward_contact:${row.id}`, { after: columns });
  await ctx.say(contract.forwardContactChanged, {
    contactId: row.id,
    name: body.name,
    added: true,
    moved: false,
  });
  return getForwardContact(ctx, row.id);
}

/** What is left out stays. A new number forgets that the old one was ever answered. */
export async function updateForwardContact(
  ctx: TxCtx,
  id: number,
  patch: Patch,
): Promise<Answer<typeof contract.updateForwardContact>> {
  await holdTargets(ctx.tx, ctx.companyId);
  const before = (await lockContact(ctx.tx, ctx.companyId, id)) ?? missing();
  const columns = await columnsOf(ctx, patch, before);
  const after = { ...before, ...columns };
  const changes = Object.fromEntries(
    Object.entries(columns).filter(
      ([key, value]) => JSON.stringify(before[key as keyof ContactRow]) !== JSON.stringify(value),
    ),
  );
  if (Object.keys(changes).length === 0) return getForwardContact(ctx, id);
  const elsewhere = after.phone !== before.phone || after.user_id !== before.user_id;
  if (
    (elsewhere || after.extension !== before.extension) &&
    (await twinOf(
      ctx.tx,
      ctx.companyId,
      id,
      after.phone ?? `user:${after.user_id}`,
      after.extension,
    ))
  )
    refuse('forwarding.exists');
  await updateRow(ctx.tx, ctx.companyId, id, {
    ...changes,
    ...(elsewhere ? { verified_at: null } : {}),
    updated_at: ctx.now,
  });
  await audit(ctx, 'forward_contact.changed', `forward_contact:${id}`, {
    before: Object.fromEntries(
      Object.keys(changes).map((key) => [key, before[key as keyof ContactRow]]),
    ),
    after: changes,
  });
  await ctx.say(contract.forwardContactChanged, {
    contactId: id,
    name: after.name,
    added: false,
    moved: elsewhere,
  });
  return getForwardContact(ctx, id);
}

/** What is asked for as columns, checked against what there is; errors stand at their fields. */
async function columnsOf(
  ctx: TxCtx,
  asked: Patch,
  before: ContactRow | null,
): Promise<ContactColumns> {
  const type = asked.type ?? before?.type ?? 'phone';
  // Whoever changes the type alone is asked for the rest: a phone has no person and a person no phone.
  const number =
    type === 'user' ? null : asked.number === undefined ? (before?.phone ?? null) : asked.number;
  const user_id =
    type !== 'user'
      ? null
      : asked.user_id === undefined
        ? (before?.user_id ?? null)
        : asked.user_id;
  const wrong = whyNotPlace({ type, number, user_id });
  if (wrong) invalid(wrong);
  if (
    user_id !== null &&
    user_id !== before?.user_id &&
    !(await usersAmong(ctx.tx, ctx.companyId, [user_id])).has(user_id)
  )
    invalid({ user_id: 'This person is not in the company.' });
  if (
    asked.schedule_id &&
    asked.schedule_id !== before?.schedule_id &&
    !(await scheduleExists(ctx.tx, ctx.companyId, asked.schedule_id))
  )
    invalid({ schedule_id: 'This schedule does not exist.' });
  const all = {
    name: asked.name,
    type,
    phone: number,
    user_id,
    extension: asked.extension === undefined ? undefined : (asked.extension ?? ''),
    caller_id_pass_thru: asked.caller_id_pass_thru,
    confirm_key:
      asked.confirm_key === undefined
        ? undefined
        : asked.confirm_key === false
          ? null
          : String(asked.confirm_key),
    schedule_id: asked.schedule_id,
    timezone: asked.timezone,
    notes: asked.notes,
    tag_ids:
      asked.tags === undefined
        ? undefined
        : asked.tags.length
          ? (await tagsNamed(ctx, asked.tags)).map((tag) => tag.id)
          : [],
  };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as ContactColumns;
}
