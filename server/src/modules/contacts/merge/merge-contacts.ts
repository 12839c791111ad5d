import type { Answer, Body, Query } from '#contract';
import {
  contactChanged,
  contactsChanged,
  contactsHave,
  undoDays,
  type mergeContacts as merging,
  type previewMerge as previewing,
  type undoMerge as undoing,
} from '#contract/contacts';
import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { missing, refuse } from '../../../platform/refuse.ts';
import { fieldsFor, setValues, valuesOf } from '../../fields/index.ts';
import { deleteMembers, groupsOfContacts, insertMembers } from '../groups/store-groups.ts';
import { deleteUses, insertUses, labelsOfContacts } from '../labels/store-labels.ts';
import { masked, presentContact, presentContacts } from '../present.ts';
import {
  contactById,
  contactEvenDeleted,
  contactsOfNumbers,
  dropNumbers,
  holdContact,
  markDeleted,
  markRestored,
  otherNumbers,
  patchContact,
  putNumbers,
  type ContactRow,
} from '../store.ts';
import { takeTurn } from '../store-many.ts';
import { backFrom, differingFields, mergedOf, type Side } from './rules.ts';
import { insertMerge, markUndone, mergeById } from './store-merge.ts';

async function both(ctx: TxCtx, id: number, withId: number): Promise<[ContactRow, ContactRow]> {
  if (id === withId) refuse('contact.merge_self');
  return [
    (await contactById(ctx.tx, ctx.companyId, id)) ?? missing(),
    (await contactById(ctx.tx, ctx.companyId, withId)) ?? missing(),
  ];
}
const sides = (choose: Readonly<Record<string, string>> | undefined) =>
  (choose ?? {}) as Record<string, Side>;

export async function previewMerge(
  ctx: TxCtx,
  id: number,
  query: Query<typeof previewing>,
): Promise<Answer<typeof previewing>> {
  const [mine, other] = await both(ctx, id, query.with);
  const [shown, beside] = await presentContacts(ctx, [mine, other]);
  const values = [
    ...shown!.eavAttributeValues,
    ...beside!.eavAttributeValues.filter(
      (v) => !shown!.eavAttributeValues.some((own) => own.attribute_id === v.attribute_id),
    ),
  ];
  const joined = <T extends { id: number }>(a: readonly T[], b: readonly T[]) => [
    ...new Map([...a, ...b].map((one) => [one.id, one])).values(),
  ];
  const row = { ...mine, ...mergedOf(mine, other, sides(query.choose)) };
  const numbers = [
    ...new Set([
      mine.number,
      other.number,
      ...(await otherNumbers(ctx.tx, ctx.companyId, [mine.id, other.id])).map((n) => n.number),
    ]),
  ].filter((n) => n !== row.number);
  const merged = presentContact(row, masked(ctx), {
    groups: joined(shown!.groups, beside!.groups),
    labels: joined(shown!.labels, beside!.labels),
    numbers,
    values,
  });
  return {
    data: {
      this: shown!,
      with: beside!,
      merged,
      differing: differingFields(mine, other),
      optedOut: [shown!, beside!].filter((c) => c.unsubscribed).map((c) => c.number),
    },
  };
}

/** The other contact's number, groups, labels, names, e-mails, custom values and conversations come to this one; its own row sleeps, so that all of it can go back. */
export async function mergeContacts(
  ctx: TxCtx,
  id: number,
  body: Body<typeof merging>,
): Promise<Answer<typeof merging>> {
  await takeTurn(ctx.tx, ctx.companyId);
  for (const one of [id, body.with].sort((a, b) => a - b))
    await holdContact(ctx.tx, ctx.companyId, one);
  const [mine, other] = await both(ctx, id, body.with);
  const merged = mergedOf(mine, other, sides(body.choose));
  const groups = (await groupsOfContacts(ctx.tx, ctx.companyId, [other.id])).map((g) => g.id);
  const labels = (await labelsOfContacts(ctx.tx, ctx.companyId, [other.id])).map((l) => l.id);
  const addedGroups: number[] = [];
  for (const group of groups)
    if ((await insertMembers(ctx.tx, ctx.companyId, group, [id], ctx.now)).length)
      addedGroups.push(group);
  const addedLabels: number[] = [];
  for (const label of labels)
    if ((await insertUses(ctx.tx, ctx.companyId, label, [id], ctx.now)).length)
      addedLabels.push(label);

  const moved = (await otherNumbers(ctx.tx, ctx.companyId, [other.id])).map((n) => n.number);
  await markDeleted(ctx.tx, ctx.companyId, [other.id], ctx.now, ctx.actor.userId || null);
  const after = await patchContact(ctx.tx, ctx.companyId, id, merged, ctx.now);
  await putNumbers(
    ctx.tx,
    ctx.companyId,
    id,
    [...moved, mine.number, other.number].filter((n) => n !== after.number),
    ctx.now,
  );

  const values = await valuesOf(ctx, 7, [id, other.id]);
  const own = new Set(
    (values.get(id) ?? []).filter((v) => v.source !== 'default').map((v) => v.attribute_id),
  );
  const lent = (values.get(other.id) ?? []).filter(
    (v) => v.source !== 'default' && !own.has(v.attribute_id),
  );
  // A value that must be unique stands with the sleeping contact, too, and a required one could not be taken back: they are not lent.
  const custom = (
    await lend(
      ctx,
      id,
      lent.map((v) => ({ attribute_id: v.attribute_id, value: v.value })),
    )
  ).map((v) => v.attribute_id);

  const before = Object.fromEntries(
    Object.keys(merged).map((column) => [column, mine[column as keyof ContactRow]]),
  );
  const merge = await insertMerge(ctx.tx, {
    company_id: ctx.companyId,
    kept_id: id,
    gone_id: other.id,
    gone_number: other.number,
    before: JSON.stringify(before),
    after: JSON.stringify({ ...merged, custom }),
    added_groups: addedGroups,
    added_labels: addedLabels,
    moved_numbers: moved,
    user_id: ctx.actor.userId || null,
    user_name: ctx.actor.name,
    at: ctx.now,
  });
  await audit(ctx, 'contact.merged', `contact:${id}`, {
    before: { this: mine.number, with: other.number },
    after: { number: after.number, gone: other.id },
  });
  await ctx.say(contactsHave, {
    rows: [...moved, mine.number, other.number].map((number) => ({ contactId: id, number })),
  });
  await ctx.say(contactChanged, {
    contactId: id,
    name: after.name,
    number: after.number,
    added: false,
    changed: after.number === mine.number ? ['merged'] : ['merged', 'number'],
  });
  await ctx.say(contactsChanged, { what: 'merged', count: 1, contactId: id });
  return { data: { mergeId: merge.id, contact: (await presentContacts(ctx, [after]))[0]! } };
}

async function lend(
  ctx: TxCtx,
  id: number,
  values: { attribute_id: number; value: unknown }[],
): Promise<{ attribute_id: number }[]> {
  const unique = new Set(
    (await fieldsFor(ctx, 7)).filter((f) => f.is_unique || f.is_required).map((f) => f.id),
  );
  const lendable = values.filter((v) => !unique.has(v.attribute_id));
  await setValues(ctx, 7, id, lendable);
  return lendable;
}

/** Two of them again: what the merge changed goes back where nobody changed it since, and what came along leaves again. */
export async function undoMerge(
  ctx: TxCtx,
  id: number,
  mergeId: number,
): Promise<Answer<typeof undoing>> {
  await takeTurn(ctx.tx, ctx.companyId);
  const merge = await mergeById(ctx.tx, ctx.companyId, mergeId);
  if (!merge || merge.kept_id !== id) missing();
  if (merge.undone_at) refuse('contact.merge_undone');
  if (ctx.now.getTime() - merge.at.getTime() > undoDays * 86_400_000) refuse('contact.merge_old');
  const kept = (await holdContact(ctx.tx, ctx.companyId, id)) ?? missing();
  const gone =
    (await contactEvenDeleted(ctx.tx, ctx.companyId, merge.gone_id)) ?? refuse('contact.merge_old');

  const after = merge.after as Record<string, unknown> & { custom?: number[] };
  const back = backFrom(
    kept as unknown as Record<string, unknown>,
    merge.before as Record<string, unknown>,
    after,
  );
  // What a number asked for is the number's own business and is told anew below.
  delete back['unsubscribed_at'];
  const returning = [merge.gone_number, ...merge.moved_numbers];
  if (back['number'] !== undefined)
    await dropNumbers(ctx.tx, ctx.companyId, [String(back['number'])]);
  await dropNumbers(ctx.tx, ctx.companyId, returning);
  const now = await patchContact(ctx.tx, ctx.companyId, id, back, ctx.now);
  const taken = (await contactsOfNumbers(ctx.tx, ctx.companyId, [merge.gone_number])).get(
    merge.gone_number,
  );
  if (taken) refuse('contact.exists', {}, { id: taken.id });
  await markUndone(ctx.tx, ctx.companyId, mergeId, ctx.now);
  if (!(await markRestored(ctx.tx, ctx.companyId, [gone.id])).length)
    refuse('contact.exists', {}, { id });
  await putNumbers(ctx.tx, ctx.companyId, gone.id, merge.moved_numbers, ctx.now);
  for (const group of merge.added_groups) await deleteMembers(ctx.tx, ctx.companyId, group, [id]);
  for (const label of merge.added_labels) await deleteUses(ctx.tx, ctx.companyId, label, [id]);
  const fields = new Set((await fieldsFor(ctx, 7)).filter((f) => !f.is_required).map((f) => f.id));
  await setValues(
    ctx,
    7,
    id,
    (after.custom ?? [])
      .filter((attribute) => fields.has(attribute))
      .map((attribute) => ({ attribute_id: attribute, value: null })),
  );

  await audit(ctx, 'contact.unmerged', `contact:${id}`, { after: { back: gone.id } });
  const other = (await contactById(ctx.tx, ctx.companyId, gone.id))!;
  await ctx.say(contactsHave, {
    rows: [
      ...returning.map((number) => ({ contactId: gone.id, number })),
      { contactId: id, number: now.number },
    ],
  });
  await ctx.say(contactChanged, {
    contactId: id,
    name: now.name,
    number: now.number,
    added: false,
    changed: ['number', 'merged'],
  });
  await ctx.say(contactChanged, {
    contactId: gone.id,
    name: other.name,
    number: other.number,
    added: false,
    changed: ['number', 'merged'],
  });
  await ctx.say(contactsChanged, { what: 'unmerged', count: 2, contactId: id });
  const [contact, second] = await presentContacts(ctx, [now, other]);
  return { data: { contact: contact!, other: second! } };
}
