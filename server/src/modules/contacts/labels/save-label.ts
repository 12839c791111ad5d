import type { PageAnswer, Query } from '#contract';
import { contactLabelsChanged } from '#contract/contacts/groups/events';
import type { ContactLabel } from '#contract/contacts/groups/schemas';
import type { listContactLabels as listing } from '#contract/contacts/groups/endpoints';
import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import {
  countUses,
  deleteLabel,
  insertLabel,
  labelById,
  labelByName,
  labelPage,
  renameLabel,
  type LabelRow,
} from './store-labels.ts';

const presentLabel = (l: LabelRow, contacts: number): ContactLabel => ({
  id: l.id,
  label: l.label,
  contactCount: contacts,
  createdAt: l.created_at.toISOString(),
});

/** A page of the company's contact labels, each with its number of contacts. */
export async function listContactLabels(
  ctx: TxCtx,
  query: Query<typeof listing>,
): Promise<PageAnswer<ContactLabel>> {
  const sort = query.sort ?? 'label';
  const { rows, total } = await labelPage(ctx.tx, ctx.companyId, {
    search: query.search || undefined,
    sort,
    dir: query.dir ?? (sort === 'label' ? 'asc' : 'desc'),
    limit: query.perPage,
    offset: (query.page - 1) * query.perPage,
  });
  return { rows: rows.map((l) => presentLabel(l, l.contacts)), total };
}
/** Creates a label. `label.exists` when there is one of this name in any case. */
export async function createContactLabel(
  ctx: TxCtx,
  label: string,
): Promise<{ data: ContactLabel }> {
  const row = await insertLabel(ctx.tx, {
    company_id: ctx.companyId,
    label,
    created_by: ctx.actor.userId || null,
    created_at: ctx.now,
  });
  if (!row)
    fail('label.exists', {}, { id: (await labelByName(ctx.tx, ctx.companyId, label))?.id ?? 0 });
  await ctx.publish(contactLabelsChanged, { labelId: row.id, what: 'added' });
  return { data: presentLabel(row, 0) };
}
/** Renames a label. `label.exists` when another has the name in any case. */
export async function renameContactLabel(
  ctx: TxCtx,
  id: number,
  label: string,
): Promise<{ data: ContactLabel }> {
  if (!(await labelById(ctx.tx, ctx.companyId, id))) notFound();
  const sameName = await labelByName(ctx.tx, ctx.companyId, label);
  if (sameName && sameName.id !== id) fail('label.exists', {}, { id: sameName.id });
  const row = await renameLabel(ctx.tx, ctx.companyId, id, label);
  await ctx.publish(contactLabelsChanged, { labelId: id, what: 'updated' });
  return { data: presentLabel(row, await countUses(ctx.tx, ctx.companyId, id)) };
}
/** Deletes a label and takes it off all contacts. `not_found` when it doesn't exist. */
export async function deleteContactLabel(ctx: TxCtx, id: number): Promise<void> {
  const row = (await labelById(ctx.tx, ctx.companyId, id)) ?? notFound();
  const uses = await countUses(ctx.tx, ctx.companyId, id);
  await deleteLabel(ctx.tx, ctx.companyId, id);
  await audit(ctx, 'contact_label.deleted', `contact_label:${id}`, {
    before: { label: row.label, contacts: uses },
  });
  await ctx.publish(contactLabelsChanged, { labelId: id, what: 'deleted' });
}
