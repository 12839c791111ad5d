import type { TxCtx } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { groupsOfIds } from './groups/store-groups.ts';
import {
  deleteMembers,
  groupsOfContacts,
  insertMembers,
  insertMemberships,
} from './groups/store-members.ts';
import { acquireContactLock } from './store-many.ts';
import {
  deleteUses,
  insertManyUses,
  insertUses,
  labelsByIds,
  labelsOfContacts,
} from './labels/store-labels.ts';

/**
 * Sets a contact's groups and labels to exactly these; a list left out stays unchanged. Returns
 * which lists changed. Fails with a field error for virtual groups and unknown labels.
 */
export async function assignLists(
  ctx: TxCtx,
  contactId: number,
  lists: { groups?: readonly number[] | undefined; labels?: readonly number[] | undefined },
): Promise<string[]> {
  const { groups, labels } = lists;
  const changed: string[] = [];
  if (groups) {
    // A contact's groups never include groups with a rule, so a client that sends back what it read
    // has none.
    const known = await groupsOfIds(ctx.tx, ctx.companyId, groups);
    if (known.length < new Set(groups).size || known.some((g) => g.rule !== null))
      invalid({ groups: 'Choose groups without a rule.' });
    const current = (await groupsOfContacts(ctx.tx, ctx.companyId, [contactId])).map((g) => g.id);
    const [join, leave] = [
      groups.filter((id) => !current.includes(id)),
      current.filter((id) => !groups.includes(id)),
    ];
    for (const id of join) await insertMembers(ctx.tx, ctx.companyId, id, [contactId], ctx.now);
    for (const id of leave) await deleteMembers(ctx.tx, ctx.companyId, id, [contactId]);
    if (join.length || leave.length) changed.push('groups');
  }
  if (labels) {
    if ((await labelsByIds(ctx.tx, ctx.companyId, labels)).length < new Set(labels).size)
      invalid({ labels: 'Choose labels from the list.' });
    const was = (await labelsOfContacts(ctx.tx, ctx.companyId, [contactId])).map((l) => l.id);
    const [added, removed] = [
      labels.filter((id) => !was.includes(id)),
      was.filter((id) => !labels.includes(id)),
    ];
    for (const id of added) await insertUses(ctx.tx, ctx.companyId, id, [contactId], ctx.now);
    for (const id of removed) await deleteUses(ctx.tx, ctx.companyId, id, [contactId]);
    if (added.length || removed.length) changed.push('labels');
  }
  return changed;
}

/** Adds each contact to its group. Groups that are deleted or have a rule are left out. */
export async function addToGroups(
  ctx: TxCtx,
  pairs: readonly { contactId: number; groupId: number }[],
): Promise<void> {
  if (pairs.length > 1) await acquireContactLock(ctx.tx, ctx.companyId);
  const listGroupIds = new Set(
    (await groupsOfIds(ctx.tx, ctx.companyId, [...new Set(pairs.map((p) => p.groupId))]))
      .filter((g) => g.rule === null)
      .map((g) => g.id),
  );
  await insertMemberships(
    ctx.tx,
    ctx.companyId,
    pairs.filter((p) => listGroupIds.has(p.groupId)),
    ctx.now,
  );
}
/** Gives each contact its label. */
export async function addLabels(
  ctx: TxCtx,
  pairs: readonly { contactId: number; labelId: number }[],
): Promise<void> {
  const existingLabelIds = new Set(
    (await labelsByIds(ctx.tx, ctx.companyId, [...new Set(pairs.map((p) => p.labelId))])).map(
      (l) => l.id,
    ),
  );
  await insertManyUses(
    ctx.tx,
    ctx.companyId,
    pairs.filter((p) => existingLabelIds.has(p.labelId)),
    ctx.now,
  );
}
