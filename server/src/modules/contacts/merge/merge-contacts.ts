import type { Answer, Body, Query } from '#contract';
import { contactChanged, contactsChanged, contactNumbersLinked } from '#contract/contacts/events';
import {
  type mergeContacts as merging,
  type previewMerge as previewing,
} from '#contract/contacts/endpoints';
import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { fieldsFor, setValues, valuesOf } from '../../fields/index.ts';
import { groupsOfContacts, insertMembers } from '../groups/store-members.ts';
import { insertUses, labelsOfContacts } from '../labels/store-labels.ts';
import { contactAnswer } from '../get-contact.ts';
import { areDetailsMasked, presentContact, presentContacts } from '../present.ts';
import { contactById, lockContact, patchContact, type ContactRow } from '../store.ts';
import { markDeleted } from '../store-trash.ts';
import { mergedNumbers, upsertMergedNumbers } from '../store-numbers.ts';
import { acquireContactLock } from '../store-many.ts';
import { differingFields, mergeRows, type Side } from './rules.ts';
import { insertMerge } from './store-merge.ts';

async function loadPair(ctx: TxCtx, id: number, withId: number): Promise<[ContactRow, ContactRow]> {
  if (id === withId) fail('contact.merge_self');
  return [
    (await contactById(ctx.tx, ctx.companyId, id)) ?? notFound(),
    (await contactById(ctx.tx, ctx.companyId, withId)) ?? notFound(),
  ];
}
const chosenSides = (choose: Readonly<Record<string, string>> | undefined) =>
  (choose ?? {}) as Record<string, Side>;

/** What a contact would hold after merging another into it, and the fields that differ. */
export async function previewMerge(
  ctx: TxCtx,
  id: number,
  query: Query<typeof previewing>,
): Promise<Answer<typeof previewing>> {
  const [target, source] = await loadPair(ctx, id, query.with);
  const presented = await presentContacts(ctx, [target, source]);
  const presentedTarget = mustBe(presented[0], 'the presented target');
  const presentedSource = mustBe(presented[1], 'the presented source');
  const values = [
    ...presentedTarget.eavAttributeValues,
    ...presentedSource.eavAttributeValues.filter(
      (v) => !presentedTarget.eavAttributeValues.some((own) => own.attribute_id === v.attribute_id),
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
    groups: unionById(presentedTarget.groups, presentedSource.groups),
    labels: unionById(presentedTarget.labels, presentedSource.labels),
    numbers,
    values,
    crmOwner: presentedTarget.crmOwner,
  });
  return {
    data: {
      this: presentedTarget,
      with: presentedSource,
      merged,
      differing: differingFields(target, source),
      optedOut: [presentedTarget, presentedSource]
        .filter((c) => c.unsubscribed)
        .map((c) => c.number),
    },
  };
}

/**
 * Merges the other contact into this one: its numbers, groups, labels, names, emails, custom values and
 * conversations. Its own row is deleted but kept, so that `undoMerge` can restore everything. Fails with
 * `contact.merge_self`.
 */
export async function mergeContacts(
  ctx: TxCtx,
  id: number,
  body: Body<typeof merging>,
): Promise<Answer<typeof merging>> {
  await acquireContactLock(ctx.tx, ctx.companyId);
  for (const contactId of [id, body.with].sort((a, b) => a - b))
    await lockContact(ctx.tx, ctx.companyId, contactId);
  const [target, source] = await loadPair(ctx, id, body.with);
  const merged = mergeRows(target, source, chosenSides(body.choose));
  const lists = await copyLists(ctx, target.id, source.id);
  const moved = (await mergedNumbers(ctx.tx, ctx.companyId, [source.id])).map((n) => n.number);
  await markDeleted(ctx.tx, ctx.companyId, [source.id], ctx.now, ctx.actor.userId || null);
  const after = await patchContact(ctx.tx, ctx.companyId, id, merged, ctx.now);
  const numbers = [...moved, target.number, source.number];
  await upsertMergedNumbers(
    ctx.tx,
    ctx.companyId,
    id,
    numbers.filter((number) => number !== after.number),
    ctx.now,
  );
  const custom = await copyCustomValues(ctx, id, source.id);
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
    added_groups: lists.groups,
    added_labels: lists.labels,
    moved_numbers: moved,
    user_id: ctx.actor.userId || null,
    user_name: ctx.actor.name,
    at: ctx.now,
  });
  await publishMerged(ctx, target, source, after, numbers);
  const { data: contact } = await contactAnswer(ctx, after);
  return { data: { mergeId: merge.id, contact } };
}

/**
 * Adds the target to the source's groups and labels; returns the IDs of those that are new to it.
 */
async function copyLists(
  ctx: TxCtx,
  targetId: number,
  sourceId: number,
): Promise<{ groups: number[]; labels: number[] }> {
  const { tx, companyId, now } = ctx;
  const groups: number[] = [];
  for (const { id } of await groupsOfContacts(tx, companyId, [sourceId]))
    if ((await insertMembers(tx, companyId, id, [targetId], now)).length) groups.push(id);
  const labels: number[] = [];
  for (const { id } of await labelsOfContacts(tx, companyId, [sourceId]))
    if ((await insertUses(tx, companyId, id, [targetId], now)).length) labels.push(id);
  return { groups, labels };
}

/**
 * Copies custom values that only the source has; returns their field IDs. Not those of unique fields,
 * because the deleted source keeps its value, and not of required ones, which an undo couldn't clear.
 */
async function copyCustomValues(ctx: TxCtx, targetId: number, sourceId: number): Promise<number[]> {
  const values = await valuesOf(ctx, 7, [targetId, sourceId]);
  const ownValuesOf = (contactId: number) =>
    (values.get(contactId) ?? []).filter(({ source }) => source !== 'default');
  const excluded = new Set([
    ...ownValuesOf(targetId).map((value) => value.attribute_id),
    ...(await fieldsFor(ctx, 7))
      .filter((field) => field.is_unique || field.is_required)
      .map((field) => field.id),
  ]);
  const copied = ownValuesOf(sourceId).filter((value) => !excluded.has(value.attribute_id));
  await setValues(
    ctx,
    7,
    targetId,
    copied.map(({ attribute_id, value }) => ({ attribute_id, value })),
  );
  return copied.map((value) => value.attribute_id);
}

async function publishMerged(
  ctx: TxCtx,
  target: ContactRow,
  source: ContactRow,
  after: ContactRow,
  numbers: readonly string[],
): Promise<void> {
  await audit(ctx, 'contact.merged', `contact:${after.id}`, {
    before: { this: target.number, with: source.number },
    after: { number: after.number, gone: source.id },
  });
  await ctx.publish(contactNumbersLinked, {
    rows: numbers.map((number) => ({ contactId: after.id, number })),
  });
  await ctx.publish(contactChanged, {
    contactId: after.id,
    name: after.name,
    number: after.number,
    added: false,
    changed: after.number === target.number ? ['merged'] : ['merged', 'number'],
  });
  await ctx.publish(contactsChanged, { what: 'merged', count: 1, contactId: after.id });
}
