import type { Answer, Body, Query } from '#contract';
import { contactChanged, contactsChanged, contactNumbersLinked } from '#contract/contacts/events';
import { undoDays } from '#contract/contacts/rules';
import type {
  mergeContacts as merging,
  previewMerge as previewing,
  undoMerge as undoing,
} from '#contract/contacts/endpoints';
import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import { fieldsFor, setValues, valuesOf } from '../../fields/index.ts';
import { deleteMembers, groupsOfContacts, insertMembers } from '../groups/store-members.ts';
import { deleteUses, insertUses, labelsOfContacts } from '../labels/store-labels.ts';
import { areDetailsMasked, presentContact, presentContacts } from '../present.ts';
import {
  contactById,
  contactByIdWithDeleted,
  contactsOfNumbers,
  deleteMergedNumbers,
  lockContact,
  markDeleted,
  markRestored,
  mergedNumbers,
  patchContact,
  upsertMergedNumbers,
  type ContactRow,
} from '../store.ts';
import { acquireContactLock } from '../store-many.ts';
import { revertPatch, differingFields, mergeRows, type Side } from './rules.ts';
import { insertMerge, markMergeUndone, lockMergeById } from './store-merge.ts';

async function loadPair(ctx: TxCtx, id: number, withId: number): Promise<[ContactRow, ContactRow]> {
  if (id === withId) fail('contact.merge_self');
  return [
    (await contactById(ctx.tx, ctx.companyId, id)) ?? notFound(),
    (await contactById(ctx.tx, ctx.companyId, withId)) ?? notFound(),
  ];
}
const chosenSides = (choose: Readonly<Record<string, string>> | undefined) =>
  (choose ?? {}) as Record<string, Side>;

export async function previewMerge(
  ctx: TxCtx,
  id: number,
  query: Query<typeof previewing>,
): Promise<Answer<typeof previewing>> {
  const [target, source] = await loadPair(ctx, id, query.with);
  const [presentedTarget, presentedSource] = await presentContacts(ctx, [target, source]);
  const values = [
    ...presentedTarget!.eavAttributeValues,
    ...presentedSource!.eavAttributeValues.filter(
      (v) =>
        !presentedTarget!.eavAttributeValues.some((own) => own.attribute_id === v.attribute_id),
    ),
  ];
  const unionById = <T extends { id: number }>(a: readonly T[], b: readonly T[]) => [
    ...new Map([...a, ...b].map((one) => [one.id, one])).values(),
  ];
  const row = { ...target, ...mergeRows(target, source, chosenSides(query.choose)) };
  const numbers = [
    ...new Set([
      target.number,
      source.number,
      ...(await mergedNumbers(ctx.tx, ctx.companyId, [target.id, source.id])).map((n) => n.number),
    ]),
  ].filter((n) => n !== row.number);
  const merged = presentContact(row, areDetailsMasked(ctx), {
    groups: unionById(presentedTarget!.groups, presentedSource!.groups),
    labels: unionById(presentedTarget!.labels, presentedSource!.labels),
    numbers,
    values,
  });
  return {
    data: {
      this: presentedTarget!,
      with: presentedSource!,
      merged,
      differing: differingFields(target, source),
      optedOut: [presentedTarget!, presentedSource!]
        .filter((c) => c.unsubscribed)
        .map((c) => c.number),
    },
  };
}

/** The other contact's number, groups, labels, names, e-mails, custom values and conversations come to this one; its own row sleeps, so that all of it can go back. */
export async function mergeContacts(
  ctx: TxCtx,
  id: number,
  body: Body<typeof merging>,
): Promise<Answer<typeof merging>> {
  await acquireContactLock(ctx.tx, ctx.companyId);
  for (const one of [id, body.with].sort((a, b) => a - b))
    await lockContact(ctx.tx, ctx.companyId, one);
  const [target, source] = await loadPair(ctx, id, body.with);
  const merged = mergeRows(target, source, chosenSides(body.choose));
  const groups = (await groupsOfContacts(ctx.tx, ctx.companyId, [source.id])).map((g) => g.id);
  const labels = (await labelsOfContacts(ctx.tx, ctx.companyId, [source.id])).map((l) => l.id);
  const addedGroups: number[] = [];
  for (const group of groups)
    if ((await insertMembers(ctx.tx, ctx.companyId, group, [id], ctx.now)).length)
      addedGroups.push(group);
  const addedLabels: number[] = [];
  for (const label of labels)
    if ((await insertUses(ctx.tx, ctx.companyId, label, [id], ctx.now)).length)
      addedLabels.push(label);

  const moved = (await mergedNumbers(ctx.tx, ctx.companyId, [source.id])).map((n) => n.number);
  await markDeleted(ctx.tx, ctx.companyId, [source.id], ctx.now, ctx.actor.userId || null);
  const after = await patchContact(ctx.tx, ctx.companyId, id, merged, ctx.now);
  await upsertMergedNumbers(
    ctx.tx,
    ctx.companyId,
    id,
    [...moved, target.number, source.number].filter((n) => n !== after.number),
    ctx.now,
  );

  const values = await valuesOf(ctx, 7, [id, source.id]);
  const own = new Set(
    (values.get(id) ?? []).filter((v) => v.source !== 'default').map((v) => v.attribute_id),
  );
  const borrowed = (values.get(source.id) ?? []).filter(
    (v) => v.source !== 'default' && !own.has(v.attribute_id),
  );
  // A value that must be unique stands with the sleeping contact, too, and a required one could not be taken back: they are not lent.
  const custom = (
    await copyValues(
      ctx,
      id,
      borrowed.map((v) => ({ attribute_id: v.attribute_id, value: v.value })),
    )
  ).map((v) => v.attribute_id);

  const before = Object.fromEntries(
    Object.keys(merged).map((column) => [column, target[column as keyof ContactRow]]),
  );
  const merge = await insertMerge(ctx.tx, {
    company_id: ctx.companyId,
    target_id: id,
    source_id: source.id,
    gone_number: source.number,
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
    before: { this: target.number, with: source.number },
    after: { number: after.number, gone: source.id },
  });
  await ctx.publish(contactNumbersLinked, {
    rows: [...moved, target.number, source.number].map((number) => ({ contactId: id, number })),
  });
  await ctx.publish(contactChanged, {
    contactId: id,
    name: after.name,
    number: after.number,
    added: false,
    changed: after.number === target.number ? ['merged'] : ['merged', 'number'],
  });
  await ctx.publish(contactsChanged, { what: 'merged', count: 1, contactId: id });
  return { data: { mergeId: merge.id, contact: (await presentContacts(ctx, [after]))[0]! } };
}

async function copyValues(
  ctx: TxCtx,
  id: number,
  values: { attribute_id: number; value: unknown }[],
): Promise<{ attribute_id: number }[]> {
  const unique = new Set(
    (await fieldsFor(ctx, 7)).filter((f) => f.is_unique || f.is_required).map((f) => f.id),
  );
  const copyable = values.filter((v) => !unique.has(v.attribute_id));
  await setValues(ctx, 7, id, copyable);
  return copyable;
}

/** Two of them again: what the merge changed goes back where nobody changed it since, and what came along leaves again. */
export async function undoMerge(
  ctx: TxCtx,
  id: number,
  mergeId: number,
): Promise<Answer<typeof undoing>> {
  await acquireContactLock(ctx.tx, ctx.companyId);
  const merge = await lockMergeById(ctx.tx, ctx.companyId, mergeId);
  if (!merge || merge.target_id !== id) notFound();
  if (merge.undone_at) fail('contact.merge_undone');
  if (ctx.now.getTime() - merge.at.getTime() > undoDays * 86_400_000) fail('contact.merge_old');
  const kept = (await lockContact(ctx.tx, ctx.companyId, id)) ?? notFound();
  const mergedAway =
    (await contactByIdWithDeleted(ctx.tx, ctx.companyId, merge.source_id)) ??
    fail('contact.merge_old');

  const after = merge.after as Record<string, unknown> & { custom?: number[] };
  const revert = revertPatch(
    kept as unknown as Record<string, unknown>,
    merge.before as Record<string, unknown>,
    after,
  );
  // What a number asked for is the number's own business and is told anew below.
  delete revert['unsubscribed_at'];
  const returningNumbers = [merge.gone_number, ...merge.moved_numbers];
  if (revert['number'] !== undefined)
    await deleteMergedNumbers(ctx.tx, ctx.companyId, [String(revert['number'])]);
  await deleteMergedNumbers(ctx.tx, ctx.companyId, returningNumbers);
  const restored = await patchContact(ctx.tx, ctx.companyId, id, revert, ctx.now);
  const holder = (await contactsOfNumbers(ctx.tx, ctx.companyId, [merge.gone_number])).get(
    merge.gone_number,
  );
  if (holder) fail('contact.exists', {}, { id: holder.id });
  await markMergeUndone(ctx.tx, ctx.companyId, mergeId, ctx.now);
  if (!(await markRestored(ctx.tx, ctx.companyId, [mergedAway.id])).length)
    fail('contact.exists', {}, { id });
  await upsertMergedNumbers(ctx.tx, ctx.companyId, mergedAway.id, merge.moved_numbers, ctx.now);
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

  await audit(ctx, 'contact.unmerged', `contact:${id}`, { after: { back: mergedAway.id } });
  const other = (await contactById(ctx.tx, ctx.companyId, mergedAway.id))!;
  await ctx.publish(contactNumbersLinked, {
    rows: [
      ...returningNumbers.map((number) => ({ contactId: mergedAway.id, number })),
      { contactId: id, number: restored.number },
    ],
  });
  await ctx.publish(contactChanged, {
    contactId: id,
    name: restored.name,
    number: restored.number,
    added: false,
    changed: ['number', 'merged'],
  });
  await ctx.publish(contactChanged, {
    contactId: mergedAway.id,
    name: other.name,
    number: other.number,
    added: false,
    changed: ['number', 'merged'],
  });
  await ctx.publish(contactsChanged, { what: 'unmerged', count: 2, contactId: id });
  const [contact, second] = await presentContacts(ctx, [restored, other]);
  return { data: { contact: contact!, other: second! } };
}
