import type { TxCtx } from '../../platform/context.ts';
import { invalid } from '../../platform/refuse.ts';
import {
  deleteMembers,
  groupsById,
  groupsOfContacts,
  insertMembers,
  insertMemberships,
} from './groups/store-groups.ts';
import { takeTurn } from './store-many.ts';
import {
  deleteUses,
  insertManyUses,
  insertUses,
  labelsById,
  labelsOfContacts,
} from './labels/store-labels.ts';

/** A contact's groups and labels become exactly these; what is left out stays as it is. Answers what changed. */
export async function sortInto(
  ctx: TxCtx,
  contactId: number,
  wanted: { groups?: readonly number[] | undefined; labels?: readonly number[] | undefined },
): Promise<string[]> {
  const changed: string[] = [];
  if (wanted.groups) {
    // A screen sends back what it was given: virtual groups are never listed there, so each must be one that lists its contacts.
    const known = await groupsById(ctx.tx, ctx.companyId, wanted.groups);
    if (known.length < new Set(wanted.groups).size || known.some((g) => g.rule !== null))
      invalid({ groups: 'Choose groups that list their contacts.' });
    const was = (await groupsOfContacts(ctx.tx, ctx.companyId, [contactId])).map((g) => g.id);
    const [join, leave] = [
      wanted.groups.filter((id) => !was.includes(id)),
      was.filter((id) => !wanted.groups!.includes(id)),
    ];
    for (const id of join) await insertMembers(ctx.tx, ctx.companyId, id, [contactId], ctx.now);
    for (const id of leave) await deleteMembers(ctx.tx, ctx.companyId, id, [contactId]);
    if (join.length || leave.length) changed.push('groups');
  }
  if (wanted.labels) {
    if (
      (await labelsById(ctx.tx, ctx.companyId, wanted.labels)).length < new Set(wanted.labels).size
    )
      invalid({ labels: 'Choose labels from the list.' });
    const was = (await labelsOfContacts(ctx.tx, ctx.companyId, [contactId])).map((l) => l.id);
    const [put, take] = [
      wanted.labels.filter((id) => !was.includes(id)),
      was.filter((id) => !wanted.labels!.includes(id)),
    ];
    for (const id of put) await insertUses(ctx.tx, ctx.companyId, id, [contactId], ctx.now);
    for (const id of take) await deleteUses(ctx.tx, ctx.companyId, id, [contactId]);
    if (put.length || take.length) changed.push('labels');
  }
  return changed;
}

/** Many contacts join many groups at once; groups that are gone or follow a rule are left out. */
export async function addToGroups(
  ctx: TxCtx,
  pairs: readonly { contactId: number; groupId: number }[],
): Promise<void> {
  if (pairs.length > 1) await takeTurn(ctx.tx, ctx.companyId);
  const real = new Set(
    (await groupsById(ctx.tx, ctx.companyId, [...new Set(pairs.map((p) => p.groupId))]))
      .filter((g) => g.rule === null)
      .map((g) => g.id),
  );
  await insertMemberships(
    ctx.tx,
    ctx.companyId,
    pairs.filter((p) => real.has(p.groupId)),
    ctx.now,
  );
}
/** Many contacts get many labels at once. */
export async function addLabels(
  ctx: TxCtx,
  pairs: readonly { contactId: number; labelId: number }[],
): Promise<void> {
  const real = new Set(
    (await labelsById(ctx.tx, ctx.companyId, [...new Set(pairs.map((p) => p.labelId))])).map(
      (l) => l.id,
    ),
  );
  await insertManyUses(
    ctx.tx,
    ctx.companyId,
    pairs.filter((p) => real.has(p.labelId)),
    ctx.now,
  );
}
