import type { PageAnswer, Query } from '#contract';
import type { listSmsCampaigns as endpoint } from '#contract/compliance/registration/endpoints';
import type { Verification } from '#contract/compliance/registration/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { companyRow } from '../../companies/index.ts';
import { presentVerifications } from './present.ts';
import { isRegistrationRequired } from './registration-required.ts';
import { campaignPage } from './store.ts';

/**
 * Lists brands and campaigns, newest first. `meta` also says whether only registered numbers may
 * text.
 */
export async function listSmsCampaigns(
  ctx: TxCtx,
  query: Query<typeof endpoint>,
): Promise<PageAnswer<Verification>> {
  const { rows, total } = await campaignPage(ctx.tx, ctx.companyId, {
    status: query.status,
    search: query.search,
    numberId: query.number_id,
    sort: query.sort ?? 'created_at',
    dir: query.dir ?? 'desc',
    limit: query.perPage,
    offset: (query.page - 1) * query.perPage,
  });
  const company = await companyRow(ctx.tx, ctx.companyId);
  return {
    rows: await presentVerifications(ctx, rows),
    total,
    meta: {
      texting_requires_verification: isRegistrationRequired(
        company?.settings,
        ctx.gateways.carriers.byName('sandbox') !== undefined,
      ),
    },
  };
}
