import type { Answer, PageAnswer, Query, invitations as contract } from '#contract';
import { grantIn } from '../../../platform/access.ts';
import type { Ctx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { presentInvitations } from './present.ts';
import { listInvitationRows } from './store.ts';

// The system role: invitations name people, and several companies of an organization.

/**
 * A page of invitations, of every company whose people the user may edit. `not_found` for a filter
 * that names another company.
 */
export async function listInvitations(
  ctx: Ctx,
  query: Query<typeof contract.listInvitations>,
): Promise<PageAnswer<Answer<typeof contract.listInvitations>['data'][number]>> {
  const allowed = ctx.actor.adminMode
    ? null
    : ctx.actor.memberships
        .filter((m) => grantIn(m, 'users.edit') !== 'none')
        .map((m) => m.companyId);
  const one = query.companyId ?? query.company_id;
  const wanted = [...(query.company_ids ?? []), ...(one === undefined ? [] : [one])];
  if (allowed && !wanted.every((id) => allowed.includes(id))) notFound();
  const { rows, total } = await listInvitationRows(ctx.db.unscoped, {
    companyIds: wanted.length ? wanted : allowed,
    organizationId: query.business_unit_id,
    isForOrganization: query.is_bu_member,
    status: query.status,
    search: query.search,
    now: ctx.now,
    limit: query.perPage,
    offset: (query.page - 1) * query.perPage,
  });
  return { rows: await presentInvitations(ctx.db.unscoped, rows, ctx.now), total };
}
