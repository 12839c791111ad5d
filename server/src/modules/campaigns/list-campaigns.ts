import type { PageAnswer, Query } from '#contract';
import {
  campaignStatuses,
  campaignStatusKeys,
  type CampaignStatus,
} from '#contract/campaigns/rules';
import type { Campaign, CampaignEvent } from '#contract/campaigns/schemas';
import type {
  listCampaignEvents as events,
  listCampaigns as list,
} from '#contract/campaigns/endpoints';
import type { TxCtx } from '../../platform/context.ts';
import { notFound, fail } from '../../platform/errors.ts';
import { maskNumber } from '../../platform/masking/mask-text.ts';
import { areDetailsMasked } from '../contacts/index.ts';
import { campaignAnswer, presentCampaigns, presentEvent } from './present.ts';
import { visibilityOf } from './sendable.ts';
import { campaignById, campaignPage } from './store.ts';
import { eventPage } from './store-events.ts';

/**
 * A filter is a status (its key or its label: Draft, In Progress …), or else words to search for.
 * Exactly one of the two is set; both are undefined for an empty filter.
 */
export function parseFilter(typed: string | undefined): {
  status: CampaignStatus | undefined;
  words: string | undefined;
} {
  const plain = typed
    ?.trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  const status = campaignStatusKeys.find(
    (k) => k === plain || campaignStatuses[k].toLowerCase().replace(/ /g, '_') === plain,
  );
  return { status, words: status || !typed?.trim() ? undefined : typed.trim() };
}

/**
 * A page of the campaigns the user may see, newest first unless sorted. Deleted ones
 * (`withTrashed`) need `campaigns.approve`, else `role.forbidden`.
 */
export async function listCampaigns(
  ctx: TxCtx,
  q: Query<typeof list>,
): Promise<PageAnswer<Campaign>> {
  if (q.withTrashed && ctx.may('campaigns.approve') === 'none') fail('role.forbidden');
  const typed = parseFilter(q.filter);
  const { rows, total } = await campaignPage(ctx.tx, ctx.companyId, visibilityOf(ctx), {
    status: (q.status as CampaignStatus | undefined) ?? typed.status,
    words: q.search || typed.words,
    trash: Boolean(q.withTrashed),
    sort: q.sort ?? 'id',
    dir: q.dir ?? 'desc',
    limit: q.perPage,
    offset: (q.page - 1) * q.perPage,
    now: ctx.now,
  });
  return { rows: await presentCampaigns(ctx, rows), total };
}

/** One campaign with all details; `not_found` when the user may not see it. */
export async function getCampaign(ctx: TxCtx, id: number): Promise<{ data: Campaign }> {
  return campaignAnswer(
    ctx,
    (await campaignById(ctx.tx, ctx.companyId, id, visibilityOf(ctx))) ?? notFound(),
  );
}

/**
 * A page of a campaign's recipients with their delivery state. Without permission for details,
 * numbers are masked and texts null.
 */
export async function listCampaignEvents(
  ctx: TxCtx,
  id: number,
  q: Query<typeof events>,
): Promise<PageAnswer<CampaignEvent>> {
  const c = (await campaignById(ctx.tx, ctx.companyId, id, visibilityOf(ctx))) ?? notFound();
  const { rows, total } = await eventPage(ctx.tx, c, {
    flag: q.status,
    search: q.search,
    desc: q.dir === 'desc',
    limit: q.perPage,
    offset: (q.page - 1) * q.perPage,
  });
  const isMasked = areDetailsMasked(ctx);
  return {
    rows: rows.map((r) =>
      isMasked ? { ...presentEvent(r, maskNumber), text: null } : presentEvent(r, (n) => n),
    ),
    total,
  };
}
