import { fields as contract, type PageAnswer, type Query } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { organizationIdOf } from '../organizations.ts';
import { syncOrganizationTags, tagPage, type TagView } from './store.ts';

/**
 * Lists tags. A company that joined an organization gets its tags here. `not_found` for another
 * organization.
 */
export async function listTags(
  ctx: TxCtx,
  query: Query<typeof contract.listTags>,
): Promise<PageAnswer<contract.Tag>> {
  const organizationId = await organizationIdOf(ctx.tx, ctx.companyId);
  if (query.businessUnitId && query.businessUnitId !== organizationId) notFound();
  if (organizationId !== null) await syncOrganizationTags(ctx.tx, ctx.companyId, ctx.now);
  const { rows, total } = await tagPage(ctx.tx, ctx.companyId, {
    ...query,
    scope: query.businessUnitId ? 'organization' : query.scope,
    sort: query.sort ?? 'name',
    dir: query.dir ?? 'asc',
    limit: query.perPage,
    offset: (query.page - 1) * query.perPage,
  });
  return { rows: rows.map(presentTag), total };
}

/** A tag as the API returns it, with where it is used. */
export const presentTag = (t: TagView): contract.Tag => ({
  id: t.id,
  name: t.name,
  color: t.color,
  scope: t.scope,
  usage_count: t.numbers + t.calls + t.places,
  uses: { numbers: t.numbers, calls: t.calls, other: t.places },
  created_by: t.created_by,
  created_at: new Date(t.created_at).toISOString(),
});
