import type { PageAnswer, Query } from '#contract';
import {
  contactLabelsChanged,
  type ContactLabel,
  type listContactLabels as listing,
} from '#contract/groups';
import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { missing, refuse } from '../../../platform/refuse.ts';
import {
  countUses,
  deleteLabelRow,
  insertLabel,
  labelById,
  labelNamed,
  labelPage,
  setLabel,
  type LabelRow,
} from './store-labels.ts';

const present = (l: LabelRow, contacts: number): ContactLabel => ({
  id: l.id,
  label: l.label,
  contactCount: contacts,
  createdAt: l.created_at.toISOString(),
});

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
  return { rows: rows.map((l) => present(l, l.contacts)), total };
}
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
    refuse('label.exists', {}, { id: (await labelNamed(ctx.tx, ctx.companyId, label))?.id ?? 0 });
  await ctx.say(contactLabelsChanged, { labelId: row.id, what: 'added' });
  return { data: present(row, 0) };
}
export async function renameContactLabel(
  ctx: TxCtx,
  id: number,
  label: string,
): Promise<{ data: ContactLabel }> {
  if (!(await labelById(ctx.tx, ctx.companyId, id))) missing();
  const twin = await labelNamed(ctx.tx, ctx.companyId, label);
  if (twin && twin.id !== id) refuse('label.exists', {}, { id: twin.id });
  const row = await setLabel(ctx.tx, ctx.companyId, id, label);
  await ctx.say(contactLabelsChanged, { labelId: id, what: 'updated' });
  return { data: present(row, await countUses(ctx.tx, ctx.companyId, id)) };
}
export async function deleteContactLabel(ctx: TxCtx, id: number): Promise<void> {
  const row = (await labelById(ctx.tx, ctx.companyId, id)) ?? missing();
  const uses = await countUses(ctx.tx, ctx.companyId, id);
  await deleteLabelRow(ctx.tx, ctx.companyId, id);
  await audit(ctx, 'contact_label.deleted', `contact_label:${id}`, {
    before: { label: row.label, contacts: uses },
  });
  await ctx.say(contactLabelsChanged, { labelId: id, what: 'deleted' });
}
