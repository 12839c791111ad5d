import type { ContactFilters } from '#contract/contacts/schemas';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { valuesOf } from '../../fields/index.ts';
import { resolveFilter } from '../resolve-filter.ts';
import { contactCondition } from '../store-filter.ts';
import { membersAfter, type MemberRow } from '../store-lists.ts';

type FilterScope = Pick<TxCtx, 'tx' | 'companyId' | 'now'> & Pick<Ctx, 'may'>;
export interface Member extends MemberRow {
  /** Custom values by the field's key, in words. */ custom: Record<string, string>;
}

/**
 * The contacts of a group, plain or virtual, in the order of their ids, at most a thousand at a time: begin with `after` 0
 * and go on with the last id until fewer come. Each carries what an audience needs: number, names, what tells its time zone
 * (number, state, zip, country) and custom values. Nobody is left out here: whether someone may be texted is the ledger's to say.
 */
export async function membersOfGroup(
  ctx: FilterScope,
  groupId: number,
  after = 0,
  limit = 1000,
): Promise<Member[]> {
  return membersMatching(ctx, { groupId }, after, limit);
}
/** The same for any filters. */
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
