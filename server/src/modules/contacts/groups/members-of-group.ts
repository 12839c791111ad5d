import type { ContactFilters } from '#contract/contacts/schemas';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { valuesOf } from '../../fields/index.ts';
import { resolveFilter } from '../resolve-filter.ts';
import { contactCondition } from '../store-filter.ts';
import { membersAfter, type MemberRow } from '../store-lists.ts';

type FilterScope = Pick<TxCtx, 'tx' | 'companyId' | 'now'> & Pick<Ctx, 'may'>;
export interface Member extends MemberRow {
  /** Custom values as text, by the field's key. */
  custom: Record<string, string>;
}

/**
 * The contacts of a group, with or without a rule, by ID, up to 1,000 at a time: start with `after` 0 and
 * continue with the last ID until fewer are returned. Includes contacts that opted out.
 */
export async function membersOfGroup(
  ctx: FilterScope,
  groupId: number,
  after = 0,
  limit = 1000,
): Promise<Member[]> {
  return membersMatching(ctx, { groupId }, after, limit);
}
/** The same for filters. */
export async function membersMatching(
  ctx: FilterScope,
  filters: ContactFilters,
  after = 0,
  limit = 1000,
): Promise<Member[]> {
  const rows = await membersAfter(
    ctx.tx,
    contactCondition(filters, await resolveFilter(ctx, filters)),
    ctx.companyId,
    after,
    Math.min(limit, 1000),
  );
  const values = await valuesOf(
    ctx,
    7,
    rows.map((r) => r.id),
  );
  return rows.map((r) => ({
    ...r,
    custom: Object.fromEntries((values.get(r.id) ?? []).map((v) => [v.key, String(v.label ?? '')])),
  }));
}
